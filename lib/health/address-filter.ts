import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { ADDRESS_RANGE_FORM, inRanges, isAddressRange } from '../endpoint/address-range.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { readItems } from '../options/read-options.js';

/** Whether a check may connect to an IP address. */
export type AddressFilter = (address: string, endpoint: Endpoint) => boolean;

/**
 * The filter that a list of ranges or a function stands for; `undefined` for anything else.
 *
 * @throws TypeError naming an item that is no range.
 */
export function addressFilter(value: unknown, label: string): AddressFilter | undefined {
  if (typeof value === 'function') {
    const allows = value as (...args: Parameters<AddressFilter>) => unknown;
    // Nothing but `true`: a promise would let everything pass.
    return (address, endpoint) => allows(address, endpoint) === true;
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const range = (text: unknown): string | undefined => (isAddressRange(text) ? text : undefined);
  return inRanges(readItems(value, label, range, ADDRESS_RANGE_FORM));
}

/** A `lookup` for `net.connect` that gives only addresses that are allowed: all of them, or one where one is asked for. */
export function lookupWithin(allow: AddressFilter, endpoint: Endpoint): LookupFunction {
  return (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      try {
        if (error !== null) throw error;
        const allowed = addresses.filter(({ address }) => allow(address, endpoint));
        const [first] = allowed;
        if (first === undefined) throw notAllowed(addresses.map(({ address }) => address).join(', '));
        if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      } catch (reason) {
        callback(reason as Error, []);
      }
    });
}

export function notAllowed(addresses: string): Error {
  return new Error(`option allow does not allow ${addresses}`);
}
