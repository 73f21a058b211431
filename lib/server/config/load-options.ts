import { shown } from '../../endpoint/syntax-error.js';
import type { Environment } from './environment.js';

/** What `loadServerOptions` reads from. */
export interface LoadOptions {
  /** The arguments behind the script's name, as `process.argv.slice(2)`. Default: none. */
  readonly args?: readonly string[];
  /** The file to read unless `--configuration` names another. `none`, in any letter case, is no file. Default: `none`. */
  readonly configFile?: string;
  /** Where `@NAME@` in a value is looked up. Default: `process.env`. */
  readonly env?: Environment;
  /** Where relative file names start. Default: `process.cwd()`. */
  readonly cwd?: string;
}

const CHECKS: Readonly<Record<keyof LoadOptions, readonly [(value: unknown) => boolean, string]>> = {
  args: [(value) => Array.isArray(value) && value.every((item) => typeof item === 'string'), 'an array of strings'],
  configFile: [isText, 'a file name'],
  env: [(value) => typeof value === 'object' && value !== null, 'an object, as process.env'],
  cwd: [isText, 'the name of a folder'],
};

/**
 * Checks the options and fills in the defaults.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function checkedLoadOptions(options: LoadOptions): Required<LoadOptions> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`options is ${printed(given)}; allowed is an object`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(CHECKS, name)) {
      throw new TypeError(`unknown option ${shown(name)}; allowed are ${Object.keys(CHECKS).join(', ')}`);
    }
    const [isAllowed, allowed] = CHECKS[name as keyof LoadOptions];
    if (!isAllowed(value)) throw new TypeError(`options.${name} is ${printed(value)}; allowed is ${allowed}`);
  }
  return { args: [], configFile: 'none', env: process.env, cwd: process.cwd(), ...options };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function printed(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : shown(value);
}
