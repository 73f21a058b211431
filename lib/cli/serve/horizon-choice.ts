import type { Request } from 'express';
import { isIP } from 'node:net';
import type { Horizon } from '../../config/index.js';
import { inRanges } from '../../endpoint/address-range.js';
import type { Listening } from '../../listen/index.js';

/** So many clients are remembered: a choice costs each of them its first request alone, however many horizons there are. */
const REMEMBERED = 1000;

/** The configured endpoint of each server. */
export type ServedEndpoints = ReadonlyMap<unknown, string>;

/** Two configured endpoints may be one, such as `localhost` and its address: what is bound is the first of them. */
export function servedEndpoints(
  configured: readonly string[],
  { servers, endpoints }: Pick<Listening, 'servers' | 'endpoints'>,
): ServedEndpoints {
  const boundTo = (bound: string): string => (configured.includes(bound) ? bound : bound.replace(/:\d+$/, ':0'));
  return new Map(endpoints().map((bound, index) => [servers[index], boundTo(bound)]));
}

/**
 * Creates a function that chooses by a request: what is for the first horizon of which every kind of condition holds, or what is for all
 * others.
 *
 * A client that no address is known of, as on a socket file, is in no network.
 *
 * @param served - Which of the configured endpoints each server listens on.
 */
export function createHorizonChoice<Chosen>(
  horizons: readonly (readonly [horizon: Horizon, chosen: Chosen])[],
  others: Chosen,
  served: () => ServedEndpoints,
): (req: Request) => Chosen {
  const choices = horizons.map(([{ networks, hosts, endpoints }, chosen]) => {
    const isInside = inRanges(networks);
    const holds = (address: string, host: string, endpoint: string): boolean =>
      (networks.length === 0 || isInside(address)) &&
      (hosts.length === 0 || hosts.includes(host)) &&
      (endpoints.length === 0 || endpoints.includes(endpoint));
    return { holds, chosen };
  });
  const hosts = new Set(horizons.flatMap(([horizon]) => horizon.hosts));
  const known = new Map<string, { readonly chosen: Chosen }>();
  return (req) => {
    if (horizons.length === 0) return others;
    const ip = String(req.ip);
    const host = hostOf(req);
    // What no condition can be about would only fill the memory.
    const client = [isIP(ip) === 0 ? '' : ip, hosts.has(host) ? host : '', served().get(serverOf(req)) ?? ''] as const;
    const key = client.join(' ');
    const choice = known.get(key) ?? choices.find(({ holds }) => holds(...client)) ?? { chosen: others };
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, choice);
    return choice.chosen;
  };
}

/** Node has it on each connection of a server, with TLS and without. */
function serverOf({ socket }: Request): unknown {
  return (socket as Request['socket'] & { readonly server?: unknown }).server;
}

/** The host that a request asks for, as conditions have it. Express leaves out the port, and minds the proxies that are trusted. */
function hostOf(req: Request): string {
  // Nobody has to send one through a socket file.
  const asked: unknown = req.hostname;
  return typeof asked === 'string' ? asked.toLowerCase().replace(/\.$/, '') : '';
}
