/** A shorter text is found in any message: to hide it would spell it out. */
const MIN_CHARACTERS = 4;
/** What a server says beyond this is for nobody, and to search it would take time. */
const MAX_CHARACTERS = 10_000;
const HIDDEN = '***';
/** Headers that say how to answer, and nothing of who asks. */
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

/** One character of a text, or what stands for one in a URL, in JSON or in HTML. */
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
 * The credentials of a request, kept out of what a server says and people read. Data are not for this: a name that equals a password
 * is a name.
 *
 * Found are whole values and their parts (a cookie, an item between commas or semicolons, the user and the password of Basic), in any
 * letter case, in base64, and as URLs, JSON and HTML spell them. What is cut, hashed or encoded in another way is not found.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  #longest = 0;

  /** Every value may be a secret, also `X-Api-Key`; the schemes of RFC 9110, section 11.4, carry theirs in a part of the value. */
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
          .replace(/^[^=]*=/, '')
          .trim()
          .replace(/^"(.*)"$/s, '$1'),
      );
    }
    if (scheme.toLowerCase() !== 'basic') return;
    // Nothing says in which of the two a client has written it.
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

  /** A text of a server, with `***` in the place of each secret; no more of it than 10,000 characters. */
  hide(text: string): string {
    // A secret that reaches beyond the end is to be found as well.
    const searched = text.slice(0, MAX_CHARACTERS + this.#longest * MAX_SPELLING);
    const places = [AS_IT_IS, SPELLED]
      .flatMap((spelling) => this.#placesIn(searched, spelling))
      .filter(([from]) => from < MAX_CHARACTERS);
    let clean = '';
    let end = 0;
    for (const [from, to] of places.sort(([one], [other]) => one - other)) {
      if (from >= end) clean += text.slice(end, from) + HIDDEN;
      end = Math.max(end, to);
    }
    return text.length <= MAX_CHARACTERS ? clean + text.slice(end) : `${clean}${text.slice(end, MAX_CHARACTERS)}...`;
  }

  hideIn(error: Error): Error {
    const clean = this.hide(error.message);
    return clean === error.message ? error : new Error(clean);
  }

  /** Where the secrets begin and end. */
  #placesIn(text: string, spelling: RegExp): [from: number, to: number][] {
    let plain = '';
    const starts: number[] = [];
    for (const { 0: spelled, index } of text.matchAll(spelling)) {
      const character = folded(meantBy(spelled));
      plain += character;
      starts.push(...Array.from({ length: character.length }, () => index));
    }
    starts.push(text.length);

    const places: [number, number][] = [];
    for (const form of this.#forms) {
      for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, at + form.length)) {
        places.push([Number(starts[at]), Number(starts[at + form.length])]);
      }
    }
    return places;
  }
}

/**
 * Without the differences of letter case, of the two alphabets of base64, and of the two blanks in a URL. Each character by itself: a
 * whole text has another small letter for the sigma at its end.
 */
function folded(text: string): string {
  const small = text.replace(AS_IT_IS, (character) => character.toUpperCase().toLowerCase());
  return small.replace(/[+-]/g, ' ').replaceAll('_', '/');
}

/** The character that a spelling stands for. */
function meantBy(spelled: string): string {
  if (spelled.length === 1) return spelled;
  const [, decimal, digits = decimal, radix = decimal === undefined ? 16 : 10] =
    /^(?:&#(\d+);|(?:%|\\u|&#x)([\da-f]+);?)$/i.exec(spelled) ?? [];
  if (digits !== undefined) return String.fromCodePoint(Math.min(LAST_CODE_POINT, parseInt(digits, Number(radix))));
  return MEANT[spelled.toLowerCase()] ?? spelled.slice(1);
}
