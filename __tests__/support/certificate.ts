import { generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';

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
  const { name, notBefore = new Date(), notAfter = new Date(Date.now() + 365 * 86_400_000), ca } = wishes;
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const subject = name ?? 'localhost';
  const issuer = ca === undefined ? subject : new X509Certificate(ca.cert).subject.slice('CN='.length);
  const body = sequence(
    der(0xa0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1), randomBytes(8)),
    ECDSA_WITH_SHA256,
    commonName(issuer),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...extensions(wishes),
  );
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', body, ca?.key ?? key));
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n` };
}

/** An X.509 certificate is ASN.1 in DER: each value has a tag and its length before it. */
const [INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8_STRING, GENERALIZED_TIME] = [
  0x02, 0x03, 0x04, 0x06, 0x0c, 0x18,
];
const TRUE = Buffer.of(0x01, 1, 0xff);

function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  // Browsers refuse a length that is longer than it has to be.
  const sized = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...sized), value]);
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(OBJECT_ID, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));

const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(objectId('550403'), der(UTF8_STRING, Buffer.from(name)))));

const time = (date: Date): Buffer =>
  der(GENERALIZED_TIME, Buffer.from(`${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`));

function extensions({ name, isAuthority = false }: CertificateWishes): Buffer[] {
  const dnsName = (text: string): Buffer => der(0x82, Buffer.from(text));
  const ofLoopback = [
    dnsName('localhost'),
    der(0x87, Buffer.of(127, 0, 0, 1)),
    der(0x87, Buffer.alloc(16, 0).fill(1, 15)),
  ];
  const names = name === undefined ? ofLoopback : name === '' ? [] : [dnsName(name)];
  const all = [
    ...(isAuthority ? [sequence(objectId('551d13'), TRUE, der(OCTET_STRING, sequence(TRUE)))] : []),
    ...(names.length > 0 ? [sequence(objectId('551d11'), der(OCTET_STRING, sequence(...names)))] : []),
  ];
  return all.length > 0 ? [der(0xa3, sequence(...all))] : [];
}
