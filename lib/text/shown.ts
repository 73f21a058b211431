import { types } from 'node:util';

const SHOWN_CHARACTERS = 200;
/** An "@" before "://" ends a user, unless it is the one of `http@tcp`. */
const SCHEME = /^(?:http@)?[^@]*?:\/\//i;
/** What a terminal or a log obeys: controls, marks of writing direction, line separators. JSON leaves many of them as they are. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as one short line: text quoted, cut when long, without the user and password that it may carry. */
export function shown(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : isArray(value) ? 'an array' : typeof value;
  const text = withoutUserInfo(value);
  if (text.length <= SHOWN_CHARACTERS) return quoted(text);
  return `${quoted(text.slice(0, SHOWN_CHARACTERS))}... (${String(value.length)} characters)`;
}

/** The same of a text, without the quotes: for the columns of a table. */
export function bare(text: string): string {
  return shown(text).replaceAll(/^"|"(?=$|\.\.\. \()/g, '');
}

/** `Array.isArray` throws for a revoked proxy. */
function isArray(value: unknown): boolean {
  return !types.isProxy(value) && Array.isArray(value);
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/**
 * One line of text that changes no terminal and no log around it: what they would obey, line breaks included, is escaped as JSON does
 * it (`\u001b`). A line of JSON stays JSON and means the same.
 */
export function printable(line: string): string {
  return line.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** A text that may be an endpoint, fit to be shown: a password that stands in it is for nobody's log. */
export function withoutUserInfo(text: string): string {
  const [scheme] = SCHEME.exec(text) ?? [''];
  const at = text.lastIndexOf('@');
  return at < scheme.length ? text : `${scheme}***${text.slice(at)}`;
}
