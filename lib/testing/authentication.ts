import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** User and password that a cluster asks for. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Who may come in. */
export interface Authentication {
  /** Whether the `Authorization` header is `Basic` with the right user and password, or `Bearer` with a token of this cluster. */
  readonly isAllowed: (req: IncomingMessage) => boolean;
  /** A token for a user, as `/_open/auth` gives it; `undefined` when the credentials are wrong. */
  readonly tokenFor: (username: unknown, password: unknown) => string | undefined;
}

/** As long as the reference server's tokens: 30 days. */
const LIFETIME_SECONDS = 2_592_000;

/** @param credentials - Without them every request is allowed, and every user gets a token. */
export function createAuthentication(credentials: Credentials | undefined): Authentication {
  const secret = randomBytes(32);
  const signatureOf = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
  const isRight = (username: unknown, password: unknown): boolean =>
    credentials === undefined || (username === credentials.username && password === credentials.password);
  const isOwn = (token: string): boolean => {
    const dot = token.lastIndexOf('.');
    return isSameSecret(token.slice(dot + 1), signatureOf(token.slice(0, dot)));
  };

  return {
    isAllowed({ headers: { authorization = '' } }) {
      if (credentials === undefined) return true;
      if (/^bearer /i.test(authorization)) return isOwn(authorization.slice('Bearer '.length));
      if (!/^basic /i.test(authorization)) return false;
      const [username, ...password] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
      return isRight(username, password.join(':'));
    },
    tokenFor(username, password) {
      if (!isRight(username, password)) return undefined;
      const now = Math.floor(Date.now() / 1000);
      const claims = { preferred_username: username, iss: 'arangodb', iat: now, exp: now + LIFETIME_SECONDS };
      const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      return `${text}.${signatureOf(text)}`;
    },
  };
}

function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
