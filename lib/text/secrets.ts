/** A shorter text is found in any message: to hide it would spell it out. */
const MIN_CHARACTERS = 4;
const HIDDEN = '***';
/** Headers that say how to answer, and nothing of who asks. */
const PUBLIC: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

/** The credentials of a request, kept out of all that a server may send back to us. */
export class Secrets {
  readonly #texts = new Set<string>();

  /** Every value may be a secret, also `X-Api-Key`; the standard schemes carry theirs in a part of the value (RFC 9110, section 11.4). */
  addHeader(name: string, value: string): void {
    if (PUBLIC.has(name)) return;
    this.#add(value);
    if (name.endsWith('authorization')) this.addAuthorization(value);
  }

  addAuthorization(value: string | undefined): void {
    if (value === undefined) return;
    const [scheme, ...rest] = value.split(' ') as [string, ...string[]];
    const credentials = rest.join(' ').trim();
    this.#add(credentials);
    if (scheme.toLowerCase() !== 'basic') return;
    const userAndPassword = Buffer.from(credentials, 'base64').toString();
    this.#add(userAndPassword);
    this.#add(userAndPassword.slice(userAndPassword.indexOf(':') + 1));
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
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
