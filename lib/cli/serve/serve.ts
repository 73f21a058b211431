import type { RequestHandler } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptions } from '../../config/index.js';
import type { EndpointProvider } from '../../index.js';
import { listenOn, type Listening } from '../../listen/index.js';
import { createHostApplication, providerOf } from './host-application.js';
import { ownAddress, type Coordinators, type ListSource, type Opening } from './coordinators.js';
import { fixedCoordinators } from './fixed-coordinators.js';
import { throughGateway } from './gateway.js';
import { createLog, type Log } from '../log.js';
import { announcement, VERSION } from '../output.js';
import { isTls, logIgnored, reload, type Running } from './reload.js';
import type { Status } from './status.js';
import { printLine, type Signals, type Terminal } from '../terminal.js';

/** The parts of a server that exist so far. */
interface Parts {
  status?: Status;
  coordinators?: Coordinators;
  listening?: Listening;
  /** Set once the server is ready. */
  running?: Running;
}

/**
 * Serves until a signal stops it: opens the list, listens, registers; then deregisters, keeps serving for `shutdown-delay`
 * seconds, and closes. A signal before the server is ready undoes what has been done so far.
 *
 * @throws The reason why it cannot start.
 */
export async function serveUntilStopped(
  options: ServerOptions,
  load: () => ServerOptions,
  terminal: Terminal,
  signals: Signals,
): Promise<void> {
  const { stop } = signals;
  const parts: Parts = {};
  const inForce = (): ServerOptions => parts.running?.options ?? options;
  const log = createLog(terminal, inForce);
  try {
    parts.running = await start(parts, options, load, { terminal, stop, log });
    announce(parts.running, terminal);
    reloadAtSignals(parts.running, signals, parts.status);
    await signals.stopped;
    log('debug', 'stopping', 'stopping');
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await end(parts, log);
  }
  if (inForce().logFormat === 'json') log('info', 'stopped', 'stopped');
  else printLine(terminal, 'stopped');
}

/** Creates the parts one after the other, so that `end` can close those that exist. */
async function start(
  parts: Parts,
  options: ServerOptions,
  load: () => ServerOptions,
  { terminal, stop, log }: { terminal: Terminal; stop: AbortSignal; log: Log },
): Promise<Running> {
  const { ignored, ssl } = options;
  logIgnored(ignored, log);
  refuseWithoutCertificate(options);
  // A request may arrive before listenOn has returned.
  let listens!: (listening: Listening) => void;
  const started = new Promise<Listening>((resolve) => {
    listens = resolve;
  });
  const bound = async (): Promise<readonly string[]> => (await started).endpoints();

  stop.throwIfAborted();
  await openStatus(parts, options, log);
  parts.coordinators = await openCoordinators({ options, bound, env: terminal.env, log, stop });
  stop.throwIfAborted();
  const { coordinators, status } = parts;
  const endpoints = providerOf(coordinators, bound);
  const page = options.page === true ? await createPage(options, endpoints, coordinators.directory) : undefined;
  const extras = { count: status?.requests.middleware, age: coordinators.middleware, page };
  const application = createHostApplication(options.role, endpoints, log, extras);
  parts.listening = await listenOn(application, options.endpoints, ssl === undefined ? {} : { ssl });
  listens(parts.listening);
  stop.throwIfAborted();
  await parts.coordinators.join?.();
  stop.throwIfAborted();
  await coordinators.opened();
  stop.throwIfAborted();
  status?.serving({ coordinators, endpoints });
  return { options, load, coordinators, listening: parts.listening, log };
}

/** @throws Error for an endpoint with TLS that no option gives a certificate for. */
function refuseWithoutCertificate({ endpoints, statusEndpoints, ssl }: ServerOptions): void {
  const [endpoint] = ssl === undefined ? endpoints.filter(isTls) : [];
  if (endpoint !== undefined) throw new Error(`${endpoint} needs a certificate: name its file with --ssl.keyfile`);
  const [status] = statusEndpoints.filter(isTls);
  if (status !== undefined)
    throw new Error(`--status.endpoint ${status}: the status is answered without TLS, on tcp:// only`);
}

/** Responds as early as possible, since a server that waits for its registry must say that it is not ready. */
async function openStatus(parts: Parts, options: ServerOptions, log: Log): Promise<void> {
  const { role, agencyEndpoints, statusEndpoints, statusSocket } = options;
  const given = [...statusEndpoints, ...(statusSocket === undefined ? [] : [`unix://${statusSocket}`])];
  if (given.length === 0) return;
  const { Status } = await import('./status.js');
  parts.status = new Status({ role, registers: role === 'coordinator' && agencyEndpoints.length > 0 });
  const endpoints = await parts.status.open(given);
  log('info', 'status', `status at ${endpoints.join(' ')}`, { endpoints });
}

/** The listing page, loaded on demand. */
async function createPage(
  options: ServerOptions,
  endpoints: EndpointProvider,
  directory: Coordinators['directory'],
): Promise<RequestHandler> {
  const { createListingPage } = await import('../../page/index.js');
  return createListingPage({ role: options.role, endpoints, directory });
}

/** Opens the list that the options name. */
async function openCoordinators(opening: Opening): Promise<Coordinators> {
  return throughGateway(await openSource(opening), opening);
}

/** Loads the code of a registry on demand. */
async function openSource(opening: Opening): Promise<ListSource> {
  const { options } = opening;
  // Other roles respond with 501 for any list, and are not in it.
  if (options.role !== 'coordinator') return fixedCoordinators(opening);
  const own = ownAddress(options);
  if (own !== undefined && options.agencyEndpoints.length > 0) {
    const { etcdCoordinators } = await import('./etcd-coordinators.js');
    return etcdCoordinators(own, opening);
  }
  if (options.srvName !== undefined) {
    const { srvCoordinators } = await import('./srv-coordinators.js');
    return srvCoordinators(options.srvName, opening);
  }
  if (options.upstreams.length > 0) {
    const { upstreamCoordinators } = await import('./upstream-coordinators.js');
    return upstreamCoordinators(opening);
  }
  return fixedCoordinators(opening);
}

function announce({ options: { role, logFormat }, listening, log }: Running, terminal: Terminal): void {
  const endpoints = listening.endpoints();
  if (logFormat !== 'json') printLine(terminal, announcement(role, endpoints));
  else log('info', 'ready', `listening on ${endpoints.join(' ')}`, { version: VERSION, role, endpoints });
}

/** Reloads at each SIGHUP, one reload after the other. */
function reloadAtSignals(running: Running, signals: Signals, status: Status | undefined): void {
  let last = Promise.resolve();
  signals.onReload(() => {
    last = last.then(async () => {
      const isSuccess = await reload(running);
      status?.reloaded(isSuccess);
    });
  });
}

/** Leaves the list first, so that no new clients come; serves those that have the old list for a while; then closes. */
async function end({ coordinators, listening, running, status }: Parts, log: Log): Promise<void> {
  status?.stopping();
  await coordinators?.leave([...ownAddresses(running?.options), ...(listening?.endpoints() ?? [])]);
  const delay = running?.options.shutdownDelaySeconds ?? 0;
  if (delay > 0) {
    log('info', 'draining', `serving for another ${String(delay)} s`);
    await sleep(delay * 1000);
  }
  await listening?.close();
  await coordinators?.close();
  await status?.close();
}

function ownAddresses({ advertisedEndpoint, myAddress }: Partial<ServerOptions> = {}): string[] {
  return [advertisedEndpoint, myAddress].flatMap((address) => address ?? []);
}
