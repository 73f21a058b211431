/** A shorter text would blacken half a message, and is no secret. */
const MIN_CHARACTERS = 4;
const HIDDEN = '***';

/** The credentials of one poll, kept out of all that a server may send back to us. */
export class Secrets {
  readonly #texts = new Set<string>();

  /** Every value may be a secret, also `X-Api-Key`; the standard schemes carry theirs in a part of the value (RFC 9110, section 11.4). */
  addHeader(name: string, value: string): void {
    if (name === 'accept') return;
    this.#add(value);
    if (name.endsWith('authorization')) this.addAuthorization(value);
  }

  addAuthorization(value: string | undefined): void {
    if (value === undefined) return;
    const [scheme = '', ...rest] = value.split(' ');
    const credentials = rest.join(' ').trim();
    this.#add(credentials);
    if (scheme.toLowerCase() !== 'basic') return;
    const userAndPassword = Buffer.from(credentials, 'base64').toString();
    this.#add(userAndPassword);
    this.#add(userAndPassword.slice(userAndPassword.indexOf(':') + 1));
  }

  hide(text: string): string {
    let clean = text;
    for (const secret of this.#texts) clean = clean.replaceAll(secret, HIDDEN);
    return clean;
  }

  hideIn(entry: string | Error): string | Error {
    if (typeof entry === 'string') return this.hide(entry);
    const clean = this.hide(entry.message);
    return clean === entry.message ? entry : new Error(clean);
  }

  #add(text: string): void {
    if (text.length < MIN_CHARACTERS) return;
    this.#texts.add(text);
    // As a message shows it: quoted.
    this.#texts.add(JSON.stringify(text).slice(1, -1));
  }
}
