import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseLine } from './config-line.js';
import { readFileText } from './file-text.js';
import { givenValue, type GivenValue, type Reading } from './given-value.js';
import { isServerOption, SERVER_OPTIONS } from './option-table.js';
import type { Place } from './place.js';
import { unknownOption } from './unknown-option.js';

const MAX_LINES = 100_000;
const MAX_INCLUDE_DEPTH = 16;
const FILE_OPTIONS = SERVER_OPTIONS.map(({ name }) => name).filter(isServerOption);

type FilePlace = Place & { readonly file: string };

/** What one file and all that it includes have brought so far. */
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
    const place = { file, line: index + 1, written };
    const line = parseLine(written);
    if (line.kind === 'section') section = line;
    else if (line.kind === 'include') include(line.name, place, depth, progress);
    else if (line.kind === 'assignment' && !section.skipped)
      assign(section.name, line.key, line.value, place, progress);
    else if (line.kind === 'refused') progress.report(place, line.reason);
  }
}

function linesOf(file: string, named: Place, progress: Progress): readonly string[] {
  try {
    const { identity, bytes, lines } = readFileText(file, progress.bytes);
    if (progress.seen.has(identity)) throw new Error('it was read before, and a file can be included once');
    if (progress.lines + lines.length > MAX_LINES) {
      throw new Error(`the configuration has more than ${String(MAX_LINES)} lines`);
    }
    progress.seen.add(identity);
    progress.bytes += bytes;
    progress.lines += lines.length;
    return lines;
  } catch (error) {
    progress.report(named, `cannot be read: ${(error as Error).message}`);
    return [];
  }
}

function include(name: string, place: FilePlace, depth: number, progress: Progress): void {
  if (depth === MAX_INCLUDE_DEPTH) {
    progress.report(place, `includes are nested more than ${String(MAX_INCLUDE_DEPTH)} deep`);
    return;
  }
  const fileName = name.endsWith('.conf') ? name : `${name}.conf`;
  const asGiven = resolve(progress.cwd, fileName);
  const beside = resolve(dirname(place.file), fileName);
  readFile(existsSync(asGiven) ? asGiven : beside, place, depth + 1, progress);
}

function assign(section: string, key: string, value: string, place: Place, progress: Progress): void {
  const name = key.includes('.') || section === '' ? key : `${section}.${key}`;
  const option = FILE_OPTIONS.find((known) => known === name);
  if (option === undefined) {
    progress.report(place, unknownOption(name, FILE_OPTIONS, ''));
    return;
  }
  const read = givenValue(option, value, place, progress);
  if (read !== undefined) progress.given.push(read);
}
