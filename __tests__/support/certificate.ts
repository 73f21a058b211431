import { generate, type SubjectAltNameEntry } from 'selfsigned';

/** A key in PEM form and its own certificate. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** What a test wants to be different about a certificate. */
export interface CertificateWishes {
  /** The only host name that it is for. Empty: for no name. Default: the names and addresses of loopback. */
  readonly name?: string;
  /** When it ends. Default: in a year. */
  readonly notAfter?: Date;
  /** When it begins. Default: now. */
  readonly notBefore?: Date;
  /** Who signs it. Default: itself. */
  readonly ca?: Certificate;
  /** Whether it may sign others. */
  readonly isAuthority?: boolean;
}

/** A key in PEM form and its certificate, self-signed and for the names and addresses of loopback unless wished otherwise. */
export async function makeCertificate(wishes: CertificateWishes = {}): Promise<Certificate> {
  const { name, notAfter, notBefore, ca, isAuthority = false } = wishes;
  const { private: key, cert } = await generate([{ name: 'commonName', value: name ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(notBefore !== undefined && { notBeforeDate: notBefore }),
    ...(notAfter !== undefined && { notAfterDate: notAfter }),
    ...(ca !== undefined && { ca }),
    extensions: [
      ...(isAuthority ? [{ name: 'basicConstraints' as const, cA: true, critical: true }] : []),
      ...(name === '' ? [] : [{ name: 'subjectAltName' as const, altNames: altNames(name) }]),
    ],
  });
  return { key, cert };
}

function altNames(name: string | undefined): SubjectAltNameEntry[] {
  if (name !== undefined) return [{ type: 2, value: name }];
  return [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
    { type: 7, ip: '::1' },
  ];
}
