import { inspect } from 'node:util';
import { shown } from '../../endpoint/syntax-error.js';
import type { Environment } from './environment.js';

/** What `loadServerOptions` reads from. Every option may be left out; none may be `undefined`. */
export interface LoadOptions {
  /**
   * The arguments behind the name of the script: `process.argv.slice(2)`.
   * @defaultValue `[]`
   */
  readonly args?: readonly string[];
  /**
   * The file to read unless `--configuration` names another; `none`, in any letter case, is no file.
   * @defaultValue `'none'`
   */
  readonly configFile?: string;
  /**
   * Where `@NAME@` in a value is looked up.
   * @defaultValue `process.env`
   */
  readonly env?: Environment;
  /**
   * The folder where relative file names start.
   * @defaultValue `process.cwd()`
   */
  readonly cwd?: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isString = (value: unknown): boolean => typeof value === 'string';

/** One line per option; the compiler complains when one is missing. */
const RULES: Readonly<Record<keyof LoadOptions, { allowed: string; accepts: (value: unknown) => boolean }>> = {
  args: { allowed: 'an array of strings', accepts: (value) => Array.isArray(value) && value.every(isString) },
  configFile: { allowed: 'a file name', accepts: isText },
  env: { allowed: 'an object, as process.env', accepts: (value) => typeof value === 'object' && value !== null },
  cwd: { allowed: 'the name of a folder', accepts: isText },
};

const NAMES = Object.keys(RULES);

/**
 * Checks the options and fills in the defaults.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function checkedLoadOptions(options: LoadOptions): Required<LoadOptions> {
  assertPlainObject(options);
  for (const name of Reflect.ownKeys(options)) {
    if (!NAMES.includes(name as string)) {
      throw new TypeError(`unknown option ${inspect(name)}; allowed are ${NAMES.join(', ')}`);
    }
    const { allowed, accepts } = RULES[name as keyof LoadOptions];
    const value: unknown = options[name as keyof LoadOptions];
    if (!accepts(value)) throw new TypeError(`option ${String(name)} must be ${allowed}, got ${shownValue(value)}`);
  }
  return { args: [], configFile: 'none', env: process.env, cwd: process.cwd(), ...options };
}

/** Only own properties count, so an object that inherits its options would lose them silently. */
function assertPlainObject(value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  }
  throw new TypeError(`the options must be a plain object, got ${shownValue(value)}`);
}

/** Text and arrays may hold a password: `inspect` would print it. */
function shownValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? shown(value) : inspect(value);
}
