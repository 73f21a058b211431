import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

/** A private key and the certificate of its public half, both in PEM form. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** What a server's certificate says. */
export interface CertificateRequest {
  /** Host names and IP addresses for which it is valid. */
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A certificate authority of its own. */
export interface Authority {
  /** Its certificate in PEM form, for clients to trust. */
  readonly cert: string;
  /** A server's key and certificate, signed by this authority. */
  readonly issue: (request: CertificateRequest) => Identity;
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generateKeys = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Makes an authority. ECDSA on P-256: two signatures and two keys take about a millisecond, where RSA keys take a hundred. */
export function createAuthority(
  commonName: string,
  { notBefore, notAfter }: Omit<CertificateRequest, 'names'>,
): Authority {
  const keys = generateKeys();
  const validity = { subject: commonName, issuer: commonName, notBefore, notAfter };
  const extensions = (key: KeyObject): Buffer[] => [
    extension(OID.basicConstraints, true, sequence(BOOLEAN_TRUE)),
    // keyCertSign and cRLSign: the bits 5 and 6.
    extension(OID.keyUsage, true, tlv(TAG.bitString, Buffer.of(1, 0x06))),
    extension(OID.subjectKeyIdentifier, false, tlv(TAG.octetString, keyIdentifier(key))),
  ];
  return {
    cert: certificate(validity, keys, keys, extensions(keys.publicKey)),
    issue(request) {
      const own = generateKeys();
      return withPrivateKey(own, serverCertificate(request, commonName, own, keys));
    },
  };
}

/** A server's key and certificate, signed by no authority but by the key itself. */
export function selfSigned(request: CertificateRequest): Identity {
  const keys = generateKeys();
  return withPrivateKey(keys, serverCertificate(request, subjectOf(request), keys, keys));
}

function withPrivateKey({ privateKey }: KeyPair, cert: string): Identity {
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}

const subjectOf = ({ names }: CertificateRequest): string => String(names[0]);

function serverCertificate(request: CertificateRequest, issuer: string, own: KeyPair, signer: KeyPair): string {
  const { names, notBefore, notAfter } = request;
  return certificate({ subject: subjectOf(request), issuer, notBefore, notAfter }, own, signer, [
    extension(OID.subjectAltName, false, sequence(...names.map(generalName))),
    extension(OID.extendedKeyUsage, false, sequence(OID.serverAuth)),
    // Python 3.13 refuses certificates without it.
    extension(OID.authorityKeyIdentifier, false, sequence(tlv(0x80, keyIdentifier(signer.publicKey)))),
  ]);
}

interface Statement {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** RFC 5280, section 4.1. */
function certificate(says: Statement, own: KeyPair, signer: KeyPair, extensions: readonly Buffer[]): string {
  const algorithm = sequence(OID.ecdsaWithSha256);
  const content = sequence(
    tlv(0xa0, tlv(TAG.integer, Buffer.of(2))),
    // 16 octets that begin with 01: positive, and never shortened.
    tlv(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    distinguishedName(says.issuer),
    sequence(time(says.notBefore), time(says.notAfter)),
    distinguishedName(says.subject),
    own.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, signer.privateKey);
  return certificatePem(sequence(content, algorithm, tlv(TAG.bitString, Buffer.concat([Buffer.of(0), signature]))));
}

function certificatePem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tlv(TAG.set, sequence(OID.commonName, tlv(TAG.utf8String, Buffer.from(commonName)))));
}

/** RFC 5280, section 4.2.1.6: `dNSName` or `iPAddress`. */
function generalName(name: string): Buffer {
  return isIP(name) === 0 ? tlv(0x82, Buffer.from(name)) : tlv(0x87, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = text.split(':').filter((group) => group !== '');
  const whole = text.replace('::', `:${'0:'.repeat(8 - groups.length)}`);
  const hexadecimal = whole.split(':').map((group) => (group === '' ? '' : group.padStart(4, '0')));
  return Buffer.from(hexadecimal.join(''), 'hex');
}

/** `UTCTime` up to 2049, as RFC 5280, section 4.1.2.5, demands; no certificate of ours lives longer. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tlv(TAG.utcTime, Buffer.from(`${digits}Z`));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function extension(oid: Buffer, critical: boolean, value: Buffer): Buffer {
  return sequence(oid, ...(critical ? [BOOLEAN_TRUE] : []), tlv(TAG.octetString, value));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(TAG.sequence, Buffer.concat(parts));
}

/** Tag, length and value: the distinguished encoding of ASN.1 (X.690, section 8.1). */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), value]);
}

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

const BOOLEAN_TRUE = Buffer.of(0x01, 0x01, 0xff);

/** Object identifiers, encoded. */
const OID = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectKeyIdentifier: Buffer.from('0603551d0e', 'hex'),
  keyUsage: Buffer.from('0603551d0f', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
  authorityKeyIdentifier: Buffer.from('0603551d23', 'hex'),
  extendedKeyUsage: Buffer.from('0603551d25', 'hex'),
  serverAuth: Buffer.from('06082b06010505070301', 'hex'),
};
