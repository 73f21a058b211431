import type { RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptionName, ServerOptions } from '../config/index.js';
import type { EndpointDirectory } from '../directory/directory.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { EndpointProvider } from '../index.js';
import type { TlsOptions } from '../options/tls.js';
import type { Log } from './log.js';

/** Where the cluster listing of a server comes from. */
export interface Coordinators {
  readonly provider: EndpointProvider;
  /** The same list with its changes and states, where a registry holds it. */
  readonly directory?: EndpointDirectory;
  /** Runs before the router: marks answers from a list that the registry has not confirmed. */
  readonly middleware?: RequestHandler;
  /** Registers this server, once it listens. */
  readonly join?: () => Promise<unknown>;
  /** The list is complete: whatever reviews it may begin. */
  readonly opened?: () => void;
  /** Deregisters this server; the list of the others stays. Never rejects. */
  readonly leave?: () => Promise<void>;
  /** The options that `replace` applies. A change of any other option of the list needs a restart. */
  readonly live: readonly ServerOptionName[];
  /** Applies another configuration: all of it or, if it throws, nothing. */
  readonly replace?: (options: ServerOptions) => void;
  readonly close: () => Promise<void>;
}

/** What a list is opened with. */
export interface Opening {
  readonly options: ServerOptions;
  /** What the server listens on: its address if it has no other. */
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

/** The configured address that clients get for this server. */
export function ownAddress({ advertisedEndpoint, myAddress }: ServerOptions): string | undefined {
  return advertisedEndpoint ?? myAddress;
}

/** @throws Error for a Coordinator whose list would have no usable entry. */
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
    // Port 0 is replaced by a real one later; what matters here is the host.
    coordinatorEndpoint(endpoint.replace(/:0$/, ':1'));
    return true;
  } catch {
    return false;
  }
}

const RETRY_MS = 1000;

/**
 * Repeats an attempt until it succeeds, for `cluster.wait` seconds. Logs each new reason for a failure.
 *
 * @param what What failed, for the log: `etcd is unreachable`.
 * @param isFinal Whether another attempt would get the same answer. It would after a `TypeError`.
 * @throws The error of the last attempt.
 */
export async function keepTrying<Result>(
  what: string,
  attempt: () => Promise<Result>,
  { options: { waitSeconds = 0 }, log, stop }: Pick<Opening, 'options' | 'log' | 'stop'>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1000;
  let logged: string | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = end - performance.now();
      if (stop.aborted || error instanceof TypeError || isFinal(error) || left <= 0) throw error;
      const { message } = error as Error;
      if (message !== logged) {
        log('warn', 'waiting', `${what}, trying again for ${String(Math.ceil(left / 1000))} s: ${message}`);
      }
      logged = message;
      await sleep(Math.min(RETRY_MS, left), undefined, { signal: stop });
    }
  }
}

/** Adds to the message of a failure what an operator can do about it. */
export async function withRemedy<Result>(
  attempt: Promise<Result>,
  remedyFor: (failure: Error) => string,
): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    const failure = error as Error;
    failure.message += remedyFor(failure);
    throw failure;
  }
}

/**
 * The TLS options that the named options hold the files of: an authority (`...-cafile`), a certificate with its key
 * (`...-keyfile`).
 *
 * @throws Error that names the option of a file which cannot be read.
 */
export function tlsFiles(paths: Readonly<Partial<Record<ServerOptionName, string | undefined>>>): {
  readonly tls?: TlsOptions;
} {
  const tls: { ca?: string; cert?: string; key?: string } = {};
  for (const [option, path] of Object.entries(paths)) {
    if (path === undefined) continue;
    const text = readTlsFile(option, path);
    if (option.endsWith('-cafile')) tls.ca = text;
    else Object.assign(tls, { cert: text, key: text });
  }
  return Object.keys(tls).length === 0 ? {} : { tls };
}

function readTlsFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw new Error(`${option} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
