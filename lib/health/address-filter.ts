import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import type { Endpoint } from '../endpoint/endpoint.js';
import { refusedValue } from '../options/read-options.js';

/** Whether a check may connect to an IP address. */
export type AddressFilter = (address: string, endpoint: Endpoint) => boolean;

const RANGE = { allowed: 'an IP address or a CIDR range, as 10.0.0.0/8' };

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
  const ranges = new BlockList();
  for (const [index, range] of value.entries()) {
    if (!addRange(ranges, range)) throw refusedValue(`${label}[${String(index)}]`, RANGE, range);
  }
  return (address) => ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function addRange(ranges: BlockList, range: unknown): boolean {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(String(range)) ?? [];
  const version = isIP(address);
  if (typeof range !== 'string' || version === 0) return false;
  const bits = version === 6 ? 128 : 32;
  const length = Number(prefix ?? bits);
  if (length > bits) return false;
  ranges.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}

/** A `lookup` for `net.connect` that gives only addresses that are allowed. */
export function lookupWithin(allow: AddressFilter, endpoint: Endpoint): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      try {
        const allowed = addresses.filter(({ address }) => allow(address, endpoint));
        if (allowed.length === 0) throw notAllowed(addresses.map(({ address }) => address).join(', '));
        callback(null, allowed);
      } catch (refusal) {
        callback(refusal as Error, []);
      }
    });
  };
}

export function notAllowed(addresses: string): Error {
  return new Error(`option allow does not allow ${addresses}`);
}
