import { checkOptions, type OptionRules } from '../../options/check-options.js';
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

const RULES: OptionRules<LoadOptions> = {
  args: { allowed: 'an array of strings', accepts: (value) => Array.isArray(value) && value.every(isString) },
  configFile: { allowed: 'a file name', accepts: isText },
  env: { allowed: 'an object, as process.env', accepts: (value) => typeof value === 'object' && value !== null },
  cwd: { allowed: 'the name of a folder', accepts: isText },
};

/**
 * Checks the options and fills in the defaults.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function checkedLoadOptions(options: LoadOptions): Required<LoadOptions> {
  checkOptions(options, RULES);
  return { args: [], configFile: 'none', env: process.env, cwd: process.cwd(), ...options };
}
