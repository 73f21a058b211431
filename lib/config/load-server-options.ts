import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CHOSEN, chosenPart } from '../command-line/option.js';
import { kindOf, readOptions, type OptionRule } from '../options/read-options.js';
import { optional, TEXT } from '../options/rules.js';
import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';
import { readCommandLine } from './server-command-line.js';
import { ConfigError, problemAt, sourceOf, type ConfigProblem, type Place } from './config-error.js';
import { readConfigFile } from './config-file.js';
import { readEnvironment } from './environment.js';
import type { ChosenValues, Environment, GivenValue, Reading } from './given-value.js';
import { checkHorizons, horizonPlaces, horizonsNamed } from './horizons.js';
import { isNone, ROWS, type ServerOption } from './option-table.js';
import type { FileOptionName, Horizon, OptionField, ServerOptions, SwitchName } from './server-options.js';

/** The options of `loadServerOptions`. All are optional; none may be `undefined`. */
export interface LoadOptions {
  /**
   * The arguments after the name of the script: `process.argv.slice(2)`.
   * @defaultValue `[]`
   */
  readonly args?: readonly string[];
  /**
   * The file to read unless `--configuration` names another; `none`, in any letter case, is no file.
   * @defaultValue `'none'`
   */
  readonly configFile?: string;
  /**
   * The environment, for options such as `ENDPOINT_LISTING_SERVER_ENDPOINT`, and for `@NAME@` in values.
   * @defaultValue `process.env`
   */
  readonly env?: Environment;
  /**
   * The folder of relative file names.
   * @defaultValue `process.cwd()`
   */
  readonly cwd?: string;
}

const ARGS: OptionRule<readonly string[]> = {
  allowed: 'an array of strings',
  // A command line may hold secrets.
  show: kindOf,
  fallback: [],
  read: (value) => (Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined),
};
const ENV: OptionRule<Environment | undefined> = {
  allowed: 'an object, as process.env',
  show: kindOf,
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
 * Reads the options of a server from a command line and a configuration file, in the syntax of the reference server.
 *
 * The command line comes before the environment, that before `<file>.local`, that before the file, that before the file of
 * `configuration-defaults`: for each option the first of them that gives it replaces the others. All values are checked, also those that are replaced.
 *
 * Options of the reference server that we do not use are skipped; `ignored` names them.
 *
 * Reads files synchronously, so that a program can reload its configuration and swap the result in one step. A file and what it includes have at most 4 MiB and 100,000 lines, in at most 16 levels; a line that is no comment, and
 * an argument, have at most 4,096 characters. Reading stops at the 10,000th problem.
 *
 * @throws {@link ConfigError} with every problem of the command line, the environment and the files.
 * @throws `TypeError` for an invalid option of this function.
 * @see Interface, section 1: endpoints are set in the configuration file or on the command line.
 */
export function loadServerOptions(options: LoadOptions = {}): ServerOptions {
  const settings = readOptions('loadServerOptions', options, RULES);
  const { args, configFile, env = process.env, cwd = process.cwd() } = settings;
  const findings = new Findings(env, cwd);
  try {
    return readAll(args, configFile, findings);
  } catch (error) {
    throw error === REFUSED ? findings.error() : error;
  }
}

function readAll(args: readonly string[], configFile: string, findings: Findings): ServerOptions {
  const { given, switches } = readCommandLine(args, findings);
  // `--help` and `--version` skip validation.
  if (switches.size > 0) return assemble(new Map(), [], switches, []);

  const fromVariables = readEnvironment(findings);
  const named = (option: FileOptionName): string | undefined => {
    const value = [...fromVariables, ...given].filter(({ name }) => name === option).at(-1)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const names = [named('configuration') ?? configFile, named('configuration-defaults') ?? 'none'];
  const files = names.flatMap((name) => readFiles(name, findings));
  const sources = [given, fromVariables, ...files];
  const chosen = chosenValues(sources);
  const places = horizonPlaces(sources);
  const result = assemble(chosen, horizonsNamed(places.keys(), chosen), switches, [...findings.ignored]);
  if (findings.problems.length === 0) {
    checkDeployment(chosen, places, findings.report);
    checkHorizons(result, places, chosen, findings.report);
  }
  if (findings.problems.length > 0) throw REFUSED;
  return result;
}

const MAX_PROBLEMS = 10_000;
const MAX_ADVICE = 100;
/** Ends the reading: the findings say why. */
const REFUSED = new Error('the configuration is refused');

/** Problems and ignored options, collected while a command line and files are read. */
class Findings implements Reading {
  readonly problems: ConfigProblem[] = [];
  readonly ignored = new Set<string>();
  readonly #nearest = new Map<string, string | undefined>();

  constructor(
    readonly env: Environment,
    readonly cwd: string,
  ) {}

  readonly report = (place: Place, message: string): void => {
    if (this.problems.length === MAX_PROBLEMS) throw REFUSED;
    this.problems.push(problemAt(place, message));
  };

  readonly reportUnknown = (place: Place, name: string, names: readonly string[]): void => {
    const nearest = this.#nearestName(name, names);
    const [what, prefix] =
      place.variable === undefined
        ? [`option ${shown(name)}`, '']
        : ['variable', place.variable.slice(0, -name.length)];
    this.report(place, `unknown ${what}${nearest === undefined ? '' : `, did you mean ${prefix}${nearest}?`}`);
  };

  readonly ignore = (name: string): void => {
    this.ignored.add(name);
  };

  error(): ConfigError {
    return new ConfigError(this.problems, this.#nearest.size === 0 ? undefined : 'see --help');
  }

  /** Compares each name once, and at most a hundred of them: a file with more unknown names does not have typos. */
  #nearestName(name: string, names: readonly string[]): string | undefined {
    const { size } = this.#nearest;
    if (!this.#nearest.has(name))
      this.#nearest.set(name, size < MAX_ADVICE ? nearestName(name, withChosen(name, names)) : undefined);
    return this.#nearest.get(name);
  }
}

/** Names in which what is chosen is as somebody has written it. */
function withChosen(written: string, names: readonly string[]): readonly string[] {
  const [, chosen] = /^[^._]+[._]([^.]+)[._][^._]+$/.exec(written) ?? [];
  return chosen === undefined ? names : names.map((name) => name.replace(CHOSEN, chosen));
}

function readFiles(name: string, reading: Reading): (readonly GivenValue[])[] {
  if (isNone(name)) return [];
  const file = resolve(reading.cwd, name);
  const files = [`${file}.local`, file].filter((path) => path === file || existsSync(path));
  return files.map((path) => readConfigFile(path, reading));
}

/**
 * For each option, the values of the first source that has any: a source replaces those after it. Within a source, the last value counts or,
 * for a repeatable option, each different one after the last empty one.
 */
function chosenValues(sources: readonly (readonly GivenValue[])[]): ChosenValues {
  const chosen = new Map<GivenValue['name'], readonly GivenValue[]>();
  for (const [name, { repeatable }] of givenOptions(sources.flat())) {
    const [own = []] = sources
      .map((source) => source.filter((value) => value.name === name))
      .filter(({ length }) => length > 0);
    const counted = repeatable === true ? own : own.slice(-1);
    const values = distinct(counted.slice(counted.map(({ value }) => value).lastIndexOf(undefined) + 1));
    if (values.length > 0) chosen.set(name, values);
  }
  return chosen;
}

/** All options, those of horizons by their names. */
function givenOptions(values: readonly GivenValue[]): Iterable<readonly [GivenValue['name'], ServerOption]> {
  const named = ROWS.flatMap(([name, row]) =>
    CHOSEN.test(name)
      ? values.filter((value) => chosenPart(value.name, name) !== undefined).map((value) => [value.name, row] as const)
      : [[name, row] as const],
  );
  return new Map(named);
}

function distinct(values: readonly GivenValue[]): readonly GivenValue[] {
  const first = new Map<string, GivenValue>();
  for (const given of values) {
    const key = JSON.stringify(given.value);
    if (!first.has(key)) first.set(key, given);
  }
  return [...first.values()];
}

const LIST_OPTIONS = [
  'cluster.coordinator',
  'cluster.agency-endpoint',
  'cluster.my-srv-name',
  'cluster.upstream',
] as const;

/**
 * Checks the options against each other: a list of Coordinators needs a role in the cluster, and an agency needs an address to
 * register there.
 *
 * A role without a list is valid: the host application may have its own list.
 */
function checkDeployment(chosen: ChosenValues, horizons: ReadonlyMap<string, Place>, report: Reading['report']): void {
  for (const [name, rules] of chosen) if (name.endsWith('.translate')) checkTranslations(name, rules, report);
  const lists = LIST_OPTIONS.flatMap((name) => chosen.get(name)?.slice(0, 1) ?? []);
  const [list, otherList] = lists;
  if (list === undefined) {
    for (const name of ['cluster.translate', 'cluster.health-check'] as const) {
      const [given] = chosen.get(name) ?? [];
      if (given !== undefined && given.value !== false) {
        report(given.place, `${name} needs a list: one of ${LIST_OPTIONS.join(', ')}`);
      }
    }
    for (const [name, place] of horizons) {
      report(place, `horizon.${name} needs a list: one of ${LIST_OPTIONS.join(', ')}`);
    }
    return;
  }

  if (otherList !== undefined) {
    report(otherList.place, `${list.name} gives the list already: only one of ${LIST_OPTIONS.join(', ')} can`);
  }
  const role = chosen.get('cluster.my-role')?.[0]?.value ?? 'single';
  if (role === 'single')
    report(list.place, `${list.name} needs cluster.my-role: COORDINATOR, DBSERVER, PRIMARY or AGENT`);

  const agency = lists.find(({ name }) => name === 'cluster.agency-endpoint');
  if (agency !== undefined && !chosen.has('cluster.my-address')) {
    report(agency.place, 'cluster.agency-endpoint needs cluster.my-address, to register there');
  }
}

/** Refuses two rules for one endpoint, since either may be meant. */
function checkTranslations(name: string, rules: readonly GivenValue[], report: Reading['report']): void {
  const known = new Set<string>();
  for (const { value, place } of rules) {
    const [from] = value as ServerOptions['translations'][number];
    if (known.has(from)) report(place, `another rule of ${name} is for ${shown(from)} already`);
    known.add(from);
  }
}

const DEFAULT_SOURCE = Object.freeze(['default']);

function assemble(
  chosen: ChosenValues,
  horizons: readonly Horizon[],
  switches: ReadonlySet<SwitchName>,
  ignored: readonly string[],
): ServerOptions {
  const fields: Partial<Record<OptionField, unknown>> = {};
  const sources: Partial<Record<GivenValue['name'], readonly string[]>> = {};
  for (const [name, given] of chosen) sources[name] = Object.freeze(given.map(({ place }) => sourceOf(place)));
  for (const [name, { field, repeatable, fallback }] of ROWS) {
    const given = chosen.get(name);
    if (fallback !== undefined) sources[name] ??= DEFAULT_SOURCE;
    const values = given?.map(({ value }) => value) ?? [fallback ?? []].flat();
    if (repeatable === true) fields[field] = Object.freeze(values);
    else if (values.length > 0) [fields[field]] = values;
  }
  return Object.freeze({
    // The row of each field has read its value.
    ...(fields as Pick<ServerOptions, OptionField>),
    horizons: Object.freeze(horizons),
    sources: Object.freeze(sources),
    ignored: Object.freeze(ignored),
    help: switches.has('help'),
    version: switches.has('version'),
  });
}
