import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { chosenValues } from './chosen-values.js';
import { readCommandLine } from './command-line.js';
import { ConfigError, type ConfigProblem } from './config-error.js';
import { readConfigFile } from './config-file.js';
import { checkDeployment } from './deployment.js';
import type { GivenValue, Reading } from './given-value.js';
import { loadSettings, type LoadOptions } from './load-options.js';
import { problemAt } from './place.js';
import { serverOptions, type ServerOptions } from './server-options.js';

/**
 * Reads what a server is to do from a command line and a configuration file, as users of the reference server write them.
 *
 * The command line comes before `<file>.local`, that before the file: for each option the first of them that has a value
 * replaces the others. All values of all three are checked, also those that are replaced.
 *
 * Reads files synchronously, so that a program can call it again when its configuration has changed and swap the result in one
 * step. A file and what it includes have at most 4 MiB and 100,000 lines, in at most 16 levels; a line
 * that is no comment, and an argument, have at most 4,096 characters.
 *
 * @throws {@link ConfigError} for whatever is wrong with the command line or a file, with every problem in it.
 * @throws `TypeError` for an option of this function that is unknown or of the wrong type.
 * @see Interface, section 1: endpoints are set in the configuration file or on the command line.
 */
export function loadServerOptions(options: LoadOptions = {}): ServerOptions {
  const { args, configFile, env, cwd } = loadSettings(options);
  const problems: ConfigProblem[] = [];
  const reading: Reading = { env, cwd, report: (place, message) => problems.push(problemAt(place, message)) };

  const { given, switches } = readCommandLine(args, reading);
  // Who asks for help has not got the rest right yet.
  if (switches.size > 0) return serverOptions(new Map(), switches, cwd);

  const configuration = given.filter(({ name }) => name === 'configuration').at(-1);
  const chosen = chosenValues([given, ...readFiles(configuration?.value ?? configFile, reading)]);
  if (problems.length === 0) checkDeployment(chosen, reading.report);
  if (problems.length > 0) throw new ConfigError(problems);
  return serverOptions(chosen, switches, cwd);
}

function readFiles(name: string, reading: Reading): (readonly GivenValue[])[] {
  if (name.toLowerCase() === 'none') return [];
  const file = resolve(reading.cwd, name);
  const files = [`${file}.local`, file].filter((path) => path === file || existsSync(path));
  return files.map((path) => readConfigFile(path, reading));
}
