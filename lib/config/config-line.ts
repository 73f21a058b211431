import { MAX_CHARACTERS } from './place.js';

/** What one line of a configuration file says. */
export type ConfigLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'section'; readonly name: string; readonly skipped: boolean }
  | { readonly kind: 'include'; readonly name: string }
  | { readonly kind: 'assignment'; readonly key: string; readonly value: string }
  | { readonly kind: 'refused'; readonly reason: string };

const SECTION = /^\[([-\w]+)(?::(community|enterprise))?\]$/;
const INCLUDE = /^@include[ \t]+(.+)$/;
const KEY = /^[-\w.]+$/;
/** What a decoder puts in the place of bytes that are not UTF-8, and every control but the tab. */
const UNREADABLE = /[^\P{Cc}\t]|\uFFFD/u;

/**
 * Reads one line.
 *
 * Written by hand: the packages that read INI files merge repeated keys, take quotes, `;` behind a value and `[a.b]` for syntax,
 * and know neither `@include` nor the number of a line.
 */
export function parseLine(written: string): ConfigLine {
  const line = written.trim();
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return { kind: 'nothing' };
  if (line.length > MAX_CHARACTERS) return refused(`the line is longer than ${String(MAX_CHARACTERS)} characters`);
  if (UNREADABLE.test(line)) return refused('the line is not UTF-8 text, or has control characters');

  const [, name, edition] = SECTION.exec(line) ?? [];
  if (name !== undefined) return { kind: 'section', name, skipped: edition === 'enterprise' };

  const [, included] = INCLUDE.exec(line) ?? [];
  if (included !== undefined) return { kind: 'include', name: included };

  const equals = line.indexOf('=');
  const key = line.slice(0, Math.max(equals, 0)).trim();
  if (KEY.test(key)) return { kind: 'assignment', key, value: line.slice(equals + 1).trim() };

  return refused('the line is none of "name = value", "[section]", "@include file" and "# comment"');
}

function refused(reason: string): ConfigLine {
  return { kind: 'refused', reason };
}
