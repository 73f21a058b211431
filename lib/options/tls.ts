import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { withoutFinalDot } from '../endpoint/host.js';
import { group, kindOf, type OptionRule } from './read-options.js';
import { optional } from './rules.js';

/** The certificates that a client trusts, and its own; PEM texts or buffers. */
export interface TlsOptions {
  /**
   * The CA certificates to trust.
   * @defaultValue those that Node trusts
   */
  readonly ca?: string | Buffer;
  /** The client certificate; needs `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name in the servers' certificates, if it differs from the host. */
  readonly servername?: string;
}

/** TLS options, prepared for every connection. */
export interface TlsSettings {
  readonly secureContext: SecureContext;
  readonly servername: string | undefined;
}

const PEM: OptionRule<string | Buffer> = {
  allowed: 'a PEM text or buffer',
  show: kindOf,
  read: (value) => (typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined),
};
const PEM_CERTIFICATES = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^]*?(?:-----END [^\n]*|$)/g;
/** Certificates name hosts without the final dot of an absolute name (RFC 6066, section 3). */
const SERVER_NAME: OptionRule<string> = {
  allowed: 'a host name',
  read: (value) => (typeof value === 'string' ? withoutFinalDot(value) : undefined),
};
const given = group({ ca: optional(PEM), cert: optional(PEM), key: optional(PEM), servername: optional(SERVER_NAME) });

/**
 * The fault of a `ca` that OpenSSL would silently accept without trusting anything: it skips whatever is not a PEM certificate.
 */
export function faultOfAuthority(ca: string | Buffer): string | undefined {
  const certificates = ca.toString('latin1').match(PEM_CERTIFICATES);
  if (certificates === null) return 'there is no certificate';
  const unreadable = certificates.findIndex((pem) => {
    try {
      return !new X509Certificate(pem);
    } catch {
      return true;
    }
  });
  return unreadable < 0 ? undefined : `certificate ${String(unreadable + 1)} cannot be read`;
}

/** The option `tls`: reads {@link TlsOptions}, and refuses values that OpenSSL cannot use, before the first connection. */
export const TLS: OptionRule<TlsSettings> = {
  allowed: given.allowed,
  show: kindOf,
  read: (value, label) => {
    const options = given.read(value, label);
    if (options === undefined) return undefined;
    const { ca, cert, key, servername } = options;
    if ((cert === undefined) !== (key === undefined)) {
      throw new TypeError(`${label} must have both cert and key, or neither, got only one of them`);
    }
    const fault = ca === undefined ? undefined : faultOfAuthority(ca);
    if (fault !== undefined) throw new TypeError(`${label}.ca is refused: ${fault} in it`);
    try {
      return Object.freeze({ secureContext: createSecureContext({ ca, cert, key }), servername });
    } catch {
      // OpenSSL's own text does not help, and comes from where the key is read.
      throw new TypeError(`${label} must have PEM certificates, and a key that fits cert, got something unusable`);
    }
  },
};
