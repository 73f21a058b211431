import { readOptions, type OptionRule } from '../options/read-options.js';
import { optional, TEXT } from '../options/rules.js';
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

const ARGS: OptionRule<readonly string[]> = {
  allowed: 'an array of strings',
  fallback: [],
  read: (value) => (Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined),
};
const ENV: OptionRule<Environment | undefined> = {
  allowed: 'an object, as process.env',
  fallback: undefined,
  read: (value) => (typeof value === 'object' && value !== null ? (value as Environment) : undefined),
};
const RULES = {
  args: ARGS,
  configFile: { ...TEXT, allowed: 'a file name', fallback: 'none' },
  env: ENV,
  cwd: optional({ ...TEXT, allowed: 'the name of a folder' }),
};

/**
 * Reads the options and fills in the defaults.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function loadSettings(options: LoadOptions): Required<LoadOptions> {
  const { args, configFile, env = process.env, cwd = process.cwd() } = readOptions('loadServerOptions', options, RULES);
  return { args, configFile, env, cwd };
}
