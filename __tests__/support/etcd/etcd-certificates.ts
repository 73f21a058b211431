import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate } from '../certificate.js';

/** An authority, and a key with a certificate that it has signed; PEM. */
export interface EtcdCertificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** So that etcd uses them, and lets nobody in who has none. */
  readonly flags: readonly string[];
}

/** One certificate for loopback and for clients: etcd's gateway is itself a client of etcd, with etcd's certificate. */
export async function makeEtcdCertificates(folder: string): Promise<EtcdCertificates> {
  const authority = await makeCertificate({ name: 'an authority', isAuthority: true });
  const { cert, key } = await makeCertificate({ ca: authority });
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await Promise.all([
    writeFile(files.ca, authority.cert),
    writeFile(files.cert, cert),
    writeFile(files.key, key, { mode: 0o600 }),
  ]);
  const flags = [
    '--client-cert-auth',
    '--trusted-ca-file',
    files.ca,
    '--cert-file',
    files.cert,
    '--key-file',
    files.key,
  ];
  return { ca: authority.cert, cert, key, flags };
}
