import { CHOSEN, chosenPart } from '../command-line/option.js';
import { SECRET_VARIABLES } from '../command-line/secret-variables.js';
import { givenValue, type Environment, type GivenValue, type Reading } from './given-value.js';
import { FILES, TABLE } from './option-table.js';
import type { ValueOptionName } from './server-options.js';

const PREFIX = 'ENDPOINT_LISTING_';
const OPTIONS = new Map(
  Object.entries({ ...FILES, ...TABLE }).map(([name, { repeatable = false }]) => {
    const option = name as ValueOptionName;
    return [variableOf(option), { name: option, repeatable }];
  }),
);
/** Without the common prefix, which would make them all similar. */
const KNOWN = [...OPTIONS.keys(), ...SECRET_VARIABLES].map((name) => name.slice(PREFIX.length));

/** `ENDPOINT_LISTING_CLUSTER_MY_ROLE` for `cluster.my-role`. */
function variableOf(name: ValueOptionName): string {
  return PREFIX + name.toUpperCase().replaceAll(/[.-]/g, '_');
}

/** The option of a variable. What the user has chosen of its name is in small letters, with dashes. */
function optionFor(variable: string): { readonly name: GivenValue['name']; readonly repeatable: boolean } | undefined {
  for (const [own, option] of OPTIONS) {
    const chosen = chosenPart(variable, own)?.toLowerCase().replaceAll('_', '-');
    if (chosen !== undefined) return { ...option, name: option.name.replace(CHOSEN, chosen) as GivenValue['name'] };
  }
  return OPTIONS.get(variable);
}

/**
 * Reads the options in the environment; the values of a list are separated by blanks or line breaks. The value of an unknown variable is not
 * shown, since it may be a secret.
 */
export function readEnvironment(reading: Reading): readonly GivenValue[] {
  const { env } = reading;
  // In an order that does not depend on who has set them.
  const variables = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
  return variables.flatMap(([variable, text]) => {
    if (text === undefined || !variable.startsWith(PREFIX)) return [];
    const option = optionFor(variable);
    if (option === undefined) {
      if (!KNOWN.includes(variable.slice(PREFIX.length)) && !isOfKubernetes(variable, env)) {
        reading.reportUnknown({ variable }, variable.slice(PREFIX.length), KNOWN);
      }
      return [];
    }
    const { name, repeatable } = option;
    const values = repeatable ? text.trim().split(/\s+/) : [text.trim()];
    return values.flatMap((written) => givenValue(name, written, { variable, written }, reading) ?? []);
  });
}

/** Kubernetes sets these variables for every Service, and one may be called `endpoint-listing`. */
function isOfKubernetes(variable: string, env: Environment): boolean {
  const [, service = ''] = /^(.*?)_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/.exec(variable) ?? [];
  return Object.hasOwn(env, `${service}_SERVICE_HOST`);
}
