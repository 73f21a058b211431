import { endpointText, type EndpointSyntaxError } from '../endpoint/endpoint.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import { parseEndpoint } from '../endpoint/parse.js';
import { isPlainObject, shownValue } from '../options/read-options.js';
import { oneOf } from '../options/rules.js';
import { shown, titled } from '../text/shown.js';

/** The key that matches every endpoint without its own key. */
export const REST = '*';

/** What becomes of an endpoint that no rule names. */
export const UNMATCHED = oneOf(['skip', 'keep'], 'skip');

/** The address that a rule gives; of an endpoint without one, what `unmatched` says: itself, or nothing. */
export function orUnmatched<Address>(
  address: Address | undefined,
  endpoint: string,
  unmatched: 'skip' | 'keep' | undefined,
): Address | string | undefined {
  return address === undefined && unmatched === 'keep' ? endpoint : address;
}

/**
 * Reads a record from endpoint to endpoint; returns a function from a canonical endpoint to its address.
 *
 * @param caller - The function whose rules these are, for messages.
 * @throws `TypeError` for anything but a record, and for a record with mistakes, naming all of them.
 */
export function readRules(caller: string, rules: unknown): (endpoint: string) => string | undefined {
  if (!isPlainObject(rules)) {
    throw new TypeError(`${caller}: the rules must be a plain object or a function, got ${shownValue(rules)}`);
  }
  const mistakes: Error[] = [];
  const read = (text: unknown, reader: (text: string) => string): string => {
    try {
      return reader(text as string);
    } catch (error) {
      mistakes.push(error as EndpointSyntaxError);
      return '';
    }
  };
  const addresses = new Map<string, string>();
  const keys = Object.keys(rules);
  for (const key of keys) {
    const isRest = key === REST;
    if (isRest && key !== keys.at(-1)) mistakes.push(new Error('"*" must be the last key, as it takes the rest'));
    const endpoint = isRest ? REST : read(key, (text) => endpointText(parseEndpoint(text)));
    const address = read(Reflect.get(rules, key), coordinatorEndpoint);
    if (endpoint !== '' && addresses.has(endpoint)) mistakes.push(new Error(`two keys name ${shown(endpoint)}`));
    addresses.set(endpoint, address);
  }
  if (mistakes.length > 0) {
    const lines = mistakes.map(({ message }) => message);
    throw new TypeError(titled(`${caller}: the rules have mistakes`, lines), { cause: new AggregateError(mistakes) });
  }
  return (text) => addresses.get(text) ?? addresses.get(REST);
}
