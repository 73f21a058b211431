import type { RequestHandler } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptionName, ServerOptions } from '../config/index.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { Log } from './log.js';

/** Where the cluster listing of a server comes from. */
export interface Coordinators {
  readonly provider: () => readonly string[] | Promise<readonly string[]>;
  /** Stands before the router: marks answers that come from a list which the registry has not confirmed. */
  readonly middleware?: RequestHandler;
  /** Makes this server known to the others, once it listens. */
  readonly join?: () => Promise<unknown>;
  /** Takes this server off the list, and goes on listing the others. Never rejects. */
  readonly leave?: () => Promise<void>;
  /** The options that `replace` takes over; a change of any other option of a list needs a restart. */
  readonly live: readonly ServerOptionName[];
  /** Takes over another configuration, all of it or, when it throws, nothing. */
  readonly replace?: (options: ServerOptions) => void;
  readonly close: () => Promise<void>;
}

/** What a list is opened with. */
export interface Opening {
  readonly options: ServerOptions;
  /** What the server listens on, for one that has no other address. */
  readonly bound: () => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Aborts when the server is to stop. */
  readonly stop: AbortSignal;
}

/** The fixed list that the options name. Without one, the server is its own only Coordinator. */
export function fixedCoordinators({ options, bound }: Pick<Opening, 'options' | 'bound'>): Coordinators {
  refuseUnlistable(options);
  let { coordinators } = options;
  let own = ownAddress(options);
  return {
    provider: () => (coordinators.length > 0 ? coordinators : own === undefined ? bound() : [own]),
    live: ['cluster.coordinator', 'cluster.my-address', 'cluster.my-advertised-endpoint'],
    replace: (next) => {
      refuseUnlistable(next);
      coordinators = next.coordinators;
      own = ownAddress(next);
    },
    close: () => Promise.resolve(),
  };
}

/** The address that clients get for this server, if it has one of its own. */
export function ownAddress({ advertisedEndpoint, myAddress }: ServerOptions): string | undefined {
  return advertisedEndpoint ?? myAddress;
}

/** @throws Error for a Coordinator whose list would have no entry that a client can use. */
function refuseUnlistable(options: ServerOptions): void {
  const { role, coordinators, endpoints } = options;
  if (role !== 'coordinator' || coordinators.length > 0 || ownAddress(options) !== undefined) return;
  if (endpoints.some(isListable)) return;
  throw new Error(
    `a coordinator that listens on ${endpoints.join(', ')} needs --cluster.my-address: clients cannot connect to a wildcard ` +
      'address or to a socket of another machine',
  );
}

function isListable(endpoint: string): boolean {
  try {
    // The system chooses the port; any other one shows whether the host can be listed.
    coordinatorEndpoint(endpoint.replace(/:0$/, ':1'));
    return true;
  } catch {
    return false;
  }
}

const RETRY_MS = 1000;

/**
 * Attempts something until it succeeds, for `cluster.wait` seconds; each new reason for a failure is logged.
 *
 * @param what For the log: `cannot open the list`.
 * @throws What the last attempt has thrown; at once what another attempt cannot change, a `TypeError`.
 */
export async function keepTrying<Result>(
  what: string,
  attempt: () => Promise<Result>,
  { options: { waitSeconds = 0 }, log, stop }: Pick<Opening, 'options' | 'log' | 'stop'>,
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1000;
  let logged: string | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = end - performance.now();
      if (stop.aborted || error instanceof TypeError || left <= 0) throw error;
      const { message } = error as Error;
      if (message !== logged) {
        log('warn', 'waiting', `${what}, trying again for ${String(Math.ceil(left / 1000))} s: ${message}`);
      }
      logged = message;
      await sleep(Math.min(RETRY_MS, left), undefined, { signal: stop });
    }
  }
}
