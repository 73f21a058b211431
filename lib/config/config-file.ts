import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { optionOf } from '../command-line/option.js';
import { MAX_CHARACTERS } from '../command-line/read-command.js';
import type { Place } from './config-error.js';
import { givenValue, type GivenValue, type Reading } from './given-value.js';
import { isReferenceOption } from './known-names.js';
import { ROWS, TABLE } from './option-table.js';

const MAX_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const MAX_LINES = 100_000;
const MAX_INCLUDE_DEPTH = 16;
const NAMES = ROWS.map(([name]) => name);

type FilePlace = Place & { readonly file: string };

interface Progress extends Reading {
  readonly given: GivenValue[];
  /** The identities of the files that were read. */
  readonly seen: Set<string>;
  bytes: number;
  lines: number;
}

/** Reads a file and what it includes: the values in the order of their lines. */
export function readConfigFile(file: string, reading: Reading): readonly GivenValue[] {
  const progress: Progress = { ...reading, given: [], seen: new Set(), bytes: 0, lines: 0 };
  readFile(file, { file }, 0, progress);
  return progress.given;
}

function readFile(file: string, named: Place, depth: number, progress: Progress): void {
  let section = { name: '', skipped: false };

  for (const [index, written] of linesOf(file, named, progress).entries()) {
    const place = { file, line: index + 1 };
    const line = parseLine(written);
    if (line.kind === 'section') {
      section = line;
      if (!line.skipped) begin(line.name, { ...place, written }, progress);
    } else if (line.kind === 'include') includeFile(line.name, { ...place, written }, depth, progress);
    else if (line.kind === 'assignment' && !section.skipped)
      assign(section.name, line, { ...place, written }, progress);
    else if (line.kind === 'refused') {
      progress.report({ ...place, written: presentable(section.name, written) }, line.reason);
    }
  }
}

function linesOf(file: string, named: Place, progress: Progress): readonly string[] {
  try {
    const { identity, bytes, lines } = readText(file, progress.bytes);
    if (progress.seen.has(identity)) throw new Error('file already included');
    if (progress.lines + lines.length > MAX_LINES) {
      throw new Error(`the configuration has more than ${String(MAX_LINES)} lines`);
    }
    progress.seen.add(identity);
    progress.bytes += bytes;
    progress.lines += lines.length;
    return lines;
  } catch (error) {
    // The place says where it is.
    progress.report(named, `cannot be read: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
    return [];
  }
}

/**
 * Reads a text file: UTF-8 with or without a byte order mark, lines that end in LF or CRLF.
 *
 * @param alreadyRead - The bytes of the files before it: together they have at most 4 MiB.
 * @returns The lines, and an identity that is the same for every path of the file.
 * @throws An `Error` if the file cannot be read, is too large, or is not a regular file (a pipe might never end).
 */
function readText(path: string, alreadyRead: number): { identity: string; bytes: number; lines: readonly string[] } {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor, { bigint: true });
    if (!status.isFile()) throw new Error('it is not a file');
    const text = readToEnd(descriptor, MAX_BYTES - alreadyRead);
    const lines = new TextDecoder().decode(text).split(/\r?\n/);
    return { identity: `${String(status.dev)}:${String(status.ino)}`, bytes: text.length, lines };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the end: files of /proc have contents, but report a size of 0. */
function readToEnd(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks);
    bytes += read;
    if (bytes > maxBytes) throw new Error(`the configuration has more than ${String(MAX_BYTES)} bytes`);
    chunks.push(chunk.subarray(0, read));
  }
}

type ConfigLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'section'; readonly name: string; readonly skipped: boolean }
  | { readonly kind: 'include'; readonly name: string }
  | { readonly kind: 'assignment'; readonly key: string; readonly value: string }
  | { readonly kind: 'refused'; readonly reason: string };

const SECTION = /^\[((?:horizon\.)?[-\w]+)(?::(community|enterprise))?\]$/;
const INCLUDE = /^@include[ \t]+(.+)$/;
const KEY = /^[-\w.]+$/;
/** The replacement character for bytes that are not UTF-8, and every control character except tab. */
const UNREADABLE = /[^\P{Cc}\t]|\uFFFD/u;

/**
 * Reads one line.
 *
 * Hand-written: the packages for INI files merge repeated keys, treat quotes, `;` after a value and `[a.b]` as syntax, and know neither
 * `@include` nor line numbers.
 */
function parseLine(written: string): ConfigLine {
  const line = written.trim();
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return { kind: 'nothing' };
  if (line.length > MAX_CHARACTERS) return refusedLine(`the line is longer than ${String(MAX_CHARACTERS)} characters`);
  if (UNREADABLE.test(line)) return refusedLine('the line is not UTF-8 text, or has control characters');

  const [, name, edition] = SECTION.exec(line) ?? [];
  if (name !== undefined) return { kind: 'section', name, skipped: edition === 'enterprise' };

  const [, included] = INCLUDE.exec(line) ?? [];
  if (included !== undefined) return { kind: 'include', name: included };

  const equals = line.indexOf('=');
  const key = line.slice(0, Math.max(equals, 0)).trim();
  if (KEY.test(key)) return { kind: 'assignment', key, value: line.slice(equals + 1).trim() };

  return refusedLine('the line is none of "name = value", "[section]", "@include file" and "# comment"');
}

function refusedLine(reason: string): ConfigLine {
  return { kind: 'refused', reason };
}

function includeFile(name: string, place: FilePlace, depth: number, progress: Progress): void {
  if (depth === MAX_INCLUDE_DEPTH) {
    progress.report(place, `includes are nested more than ${String(MAX_INCLUDE_DEPTH)} deep`);
    return;
  }
  const fileName = name.endsWith('.conf') ? name : `${name}.conf`;
  const asGiven = resolve(progress.cwd, fileName);
  const beside = resolve(dirname(place.file), fileName);
  readFile(existsSync(asGiven) ? asGiven : beside, place, depth + 1, progress);
}

/** A second section of one horizon may be meant for another one. A horizon counts as given even if its section is empty. */
function begin(section: string, place: FilePlace, { given, report }: Progress): void {
  if (!section.startsWith('horizon.')) return;
  const name = `${section}.` as const;
  if (given.some((value) => value.name === name)) report(place, `another section is for ${section} already`);
  else given.push({ name: name as GivenValue['name'], value: undefined, place });
}

function assign(
  section: string,
  { key, value }: { readonly key: string; readonly value: string },
  place: FilePlace,
  progress: Progress,
): void {
  const name = nameOf(section, key);
  if (optionOf(`--${name}`, TABLE) !== undefined) {
    const read = givenValue(name as GivenValue['name'], value, place, progress);
    if (read !== undefined) progress.given.push(read);
  } else if (isReferenceOption(name)) {
    progress.ignore(name);
  } else {
    progress.reportUnknown({ ...place, written: key }, name, NAMES);
  }
}

function nameOf(section: string, key: string): string {
  return key.includes('.') || section === '' ? key : `${section}.${key}`;
}

/**
 * The part of an invalid line that may be shown: marks of the format, and known or misspelt names. Anything else may be a secret.
 */
function presentable(section: string, written: string): string {
  const start = written.replace(/^(\s*(?:@include\b.*|\[[^\]=]*\]?|=|[^\s=:]*)).*$/s, '$1');
  const name = start.trim();
  const isOurs = NAMES.some((known) => known === nameOf(section, name) || known.endsWith(`.${name}`));
  if (isOurs) return written;
  const isMark = /^(?:[[=]|@include\b)/.test(name);
  if (!isMark && !/[=:]/.test(written)) return '...';
  return written.slice(start.length).trim() === '' ? written : `${start} ...`;
}
