/** Shorter texts occur in any message: hiding them would spell them out. */
const MIN_CHARACTERS = 4;
/** Text of a server beyond this is cut, since searching it would take time. */
const MAX_CHARACTERS = 10_000;
const HIDDEN = '***';
/** Headers that describe the response, not the client. */
const PUBLIC: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-type',
  'host',
  'user-agent',
]);

/** One character of a text, or its escape in a URL, in JSON or in HTML. */
const SPELLED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\.|&#[0-9]{1,7};|&#x[0-9a-f]{1,6};|&(?:amp|apos|gt|lt|quot);|./gis;
const AS_IT_IS = /./gs;
const MEANT: Readonly<Record<string, string>> = {
  '\\b': '\b',
  '\\f': '\f',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '&amp;': '&',
  '&apos;': "'",
  '&gt;': '>',
  '&lt;': '<',
  '&quot;': '"',
};
/** The longest spelling of a character: `&#0065533;`. */
const MAX_SPELLING = 10;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Hides the credentials of a request in messages from a server. It is not for data: a name that equals a password is a name.
 *
 * It finds whole values and their parts (a cookie, an item between commas or semicolons, the user and the password of Basic), in any
 * letter case, in base64, and escaped as in URLs, JSON and HTML. It does not find values that are cut, hashed or encoded in another way.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  #longest = 0;

  /** Every value may be a secret, such as `X-Api-Key`; in the schemes of RFC 9110, section 11.4, a part of the value is the secret. */
  addHeader(name: string, value: string): void {
    if (PUBLIC.has(name)) return;
    this.add(value);
    this.addAuthorization(value);
  }

  addAuthorization(value: string | undefined): void {
    if (value === undefined) return;
    const [scheme, ...rest] = value.split(' ') as [string, ...string[]];
    const credentials = rest.join(' ').trim();
    this.add(credentials);
    for (const part of `${value},${credentials}`.split(/[,;]/)) {
      this.add(part.trim());
      this.add(
        part
          .slice(part.indexOf('=') + 1)
          .trim()
          .replace(/^"(.*)"$/s, '$1'),
      );
    }
    if (scheme.toLowerCase() !== 'basic') return;
    // The client may have used either encoding.
    for (const encoding of ['utf8', 'latin1'] as const) {
      const userAndPassword = Buffer.from(credentials, 'base64').toString(encoding);
      const colon = userAndPassword.indexOf(':');
      for (const text of [
        userAndPassword,
        userAndPassword.slice(0, Math.max(0, colon)),
        userAndPassword.slice(colon + 1),
      ])
        this.add(text);
    }
  }

  /** A text that is a secret as a whole: a token, a user, a password. */
  add(text: string): void {
    if (text.length < MIN_CHARACTERS) return;
    const bytes = [Buffer.from(text), Buffer.from(text, 'latin1')];
    const forms = bytes.flatMap((each) => [each.toString(), each.toString('latin1'), each.toString('base64url')]);
    for (const form of [text, ...forms]) {
      this.#forms.add(folded(form));
      this.#longest = Math.max(this.#longest, form.length);
    }
  }

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** A text from a server, with `***` for each secret, and at most 10,000 characters of it. */
  hide(text: string): string {
    // A secret may extend beyond the end.
    // Stryker disable next-line MethodExpression: the rest is searched for nothing.
    const searched = text.slice(0, MAX_CHARACTERS + this.#longest * MAX_SPELLING);
    const places = [AS_IT_IS, SPELLED]
      .flatMap((spelling) => [...this.#placesIn(searched, spelling)])
      .filter(([from]) => from < MAX_CHARACTERS);
    let clean = '';
    let end = 0;
    for (const [from, to] of places.sort(([one], [other]) => one - other)) {
      if (from >= end) clean += text.slice(end, from) + HIDDEN;
      end = Math.max(end, to);
    }
    return text.length <= MAX_CHARACTERS ? clean + text.slice(end) : `${clean}${text.slice(end, MAX_CHARACTERS)}...`;
  }

  /** Where the secrets begin and end. */
  *#placesIn(text: string, spelling: RegExp): Generator<[from: number, to: number]> {
    let plain = '';
    const starts: number[] = [];
    for (const { 0: spelled, index } of text.matchAll(spelling)) {
      const character = folded(meantBy(spelled));
      plain += character;
      starts.push(...Array.from({ length: character.length }, () => index));
    }
    starts.push(text.length);

    for (const form of this.#forms) {
      for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, at + form.length)) {
        yield [Number(starts[at]), Number(starts[at + form.length])];
      }
    }
  }
}

/**
 * Removes the differences of letter case, of the two alphabets of base64, and of the two blanks in a URL. Per character, because
 * lower-casing a whole text changes a final sigma.
 */
function folded(text: string): string {
  const small = text.replace(AS_IT_IS, (character) => character.toUpperCase().toLowerCase());
  return small.replace(/[+-]/g, ' ').replaceAll('_', '/');
}

/** The character that an escape stands for. */
function meantBy(spelled: string): string {
  if (spelled.length === 1) return spelled;
  const [, decimal, digits = decimal, radix = decimal === undefined ? 16 : 10] =
    // Stryker disable next-line ArrayDeclaration: only its other places are read.
    /&#(\d+);|(?:%|\\u|&#x)([\da-f]+);?/i.exec(spelled) ?? [];
  if (digits !== undefined) return String.fromCodePoint(Math.min(LAST_CODE_POINT, parseInt(digits, Number(radix))));
  return MEANT[spelled.toLowerCase()] ?? spelled.slice(1);
}
