import { types } from 'node:util';

const SHOWN_CHARACTERS = 200;
/** An "@" before "://" ends a user, unless it is the one of `http@tcp`. */
const SCHEME = /^\s*(?:http@)?[a-z][a-z\d+.-]*:\/\//i;
/** Where a query or a fragment begins; a "#" behind a blank is a comment. */
const QUERY = /\?|(?<!\s)#/;
/** In a text without a scheme, which may be prose with question marks. */
const QUERY_OF_PATH = /\?(?=\S)(?<=^[^\s?]*\?)/;
/** Characters that affect a terminal or a log: controls, marks of writing direction, line separators. JSON does not escape all of them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as one short line: quoted text, cut if long, without a user, password or query. */
export function shown(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : isArray(value) ? 'an array' : typeof value;
  const text = withoutCredentials(value);
  if (text.length <= SHOWN_CHARACTERS) return quoted(text);
  return `${quoted(text.slice(0, SHOWN_CHARACTERS))}... (${String(value.length)} characters)`;
}

/** The same without the quotes of a text: for the columns of a table. */
export function bare(value: unknown): string {
  return shown(value).replaceAll(/^"|"(?=$|\.\.\. \()/g, '');
}

/** So many texts fit a line that is read. */
const LINE = 20;

/** The first few of many texts, and how many more there are. */
export function firstOf(texts: readonly string[], separator: string, most = LINE): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : '';
  return `${texts.slice(0, most).join(separator)}${more}`;
}

/** `Array.isArray` throws for a revoked proxy. */
function isArray(value: unknown): boolean {
  return !types.isProxy(value) && Array.isArray(value);
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/**
 * One line of text that is safe in a terminal or a log: control characters, line breaks included, are escaped as in JSON (`\u001b`). A
 * line of JSON stays valid and means the same.
 */
export function printable(line: string): string {
  return line.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** A text that may be an address, without the user, the password and the query in it. */
export function withoutCredentials(text: string): string {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  const query = rest.search(scheme === '' ? QUERY_OF_PATH : QUERY);
  // Both characters may be part of a password or of a query.
  if (query >= 0 && rest.includes('@', query)) return `${scheme}***`;
  const shownRest = query < 0 ? rest : `${rest.slice(0, query + 1)}***`;
  return scheme + (at < 0 ? shownRest : `***${shownRest.slice(at)}`);
}

/** Lines below their title, indented; a single one stands beside it. */
export function titled(title: string, lines: readonly string[]): string {
  return lines.length === 1 ? [title, ...lines].join(': ') : [`${title}:`, ...lines].join('\n  ');
}
