import type { ConfigProblem } from './config-error.js';
import { withoutUserInfo } from './user-info.js';

/** Of a line and of an argument: longer than every endpoint and every path. It bounds the work on hostile text. */
export const MAX_CHARACTERS = 4096;
const SHOWN_CHARACTERS = 200;
/** What would change the look of the line around it: controls, marks of direction, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Where something was written. */
export interface Place {
  /** The absolute path of the file; absent for the command line. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** The whole line, or the argument with its value, as written: may hold a password. */
  readonly written?: string;
}

/** Takes note of one thing that is wrong, so that all are reported at once. */
export type Report = (place: Place, message: string) => void;

/** The form in which `sources` names a place: `command line`, or `/etc/endpoints.conf:3`. */
export function sourceOf({ file, line }: Place): string {
  return file === undefined ? 'command line' : `${file}:${String(line)}`;
}

/** A problem that can be shown to anybody: the password of an address is not in it. */
export function problemAt({ written, ...position }: Place, message: string): ConfigProblem {
  return Object.freeze({ ...position, ...(written === undefined ? {} : { text: quoted(written) }), message });
}

function quoted(written: string): string {
  const text = withoutUserInfo(written);
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  return JSON.stringify(cut).replace(UNPRINTABLE, '?');
}
