import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** User and password that a cluster asks for. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** As long as the reference server's tokens: 30 days. */
const LIFETIME_SECONDS = 2_592_000;

/** Who may come in. Without credentials every request is allowed, and every user gets a token. */
export class Authentication {
  readonly #secret = randomBytes(32);
  readonly #credentials: Credentials | undefined;

  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
  }

  /** Whether the `Authorization` header is `Basic` with the right user and password, or `Bearer` with a token of this cluster. */
  isAllowed({ headers: { authorization = '' } }: IncomingMessage): boolean {
    if (this.#credentials === undefined) return true;
    if (/^bearer /i.test(authorization)) return this.#isOwn(authorization.slice('Bearer '.length));
    if (!/^basic /i.test(authorization)) return false;
    const [username, ...password] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
    return this.#isRight(username, password.join(':'));
  }

  /** A token for a user, as `/_open/auth` gives it; `undefined` when the credentials are wrong. */
  tokenFor(username: unknown, password: unknown): string | undefined {
    if (!this.#isRight(username, password)) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const claims = { preferred_username: username, iss: 'arangodb', iat: now, exp: now + LIFETIME_SECONDS };
    const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${this.#signatureOf(text)}`;
  }

  #isRight(username: unknown, password: unknown): boolean {
    const wanted = this.#credentials;
    return wanted === undefined || (username === wanted.username && password === wanted.password);
  }

  #isOwn(token: string): boolean {
    const dot = token.lastIndexOf('.');
    return isSameSecret(token.slice(dot + 1), this.#signatureOf(token.slice(0, dot)));
  }

  #signatureOf(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
