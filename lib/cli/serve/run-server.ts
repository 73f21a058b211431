import { setTimeout as sleep } from 'node:timers/promises';
import { loadServerOptions, type ServerOptions } from '../../config/index.js';
import { listenOn, type Listening } from '../../listen/index.js';
import { createHostApplication, createListHandler } from './host-application.js';
import { createClientLists } from './client-lists.js';
import type { Coordinators, Opening } from './coordinators.js';
import { openListSource } from './open-list-source.js';
import { servedEndpoints, type ServedEndpoints } from './horizon-choice.js';
import { createLog, type Log } from '../log.js';
import { announcement, helpText, VERSION } from '../output.js';
import { isTls, logIgnored, reload, type Running } from './reload.js';
import type { Status } from './status.js';
import { printError, printLine, takeSignals, type Signals, type Terminal } from '../terminal.js';

/** The parts of a server that exist so far. */
interface Parts {
  status?: Status;
  coordinators?: Coordinators;
  listening?: Listening;
  /** Set once the server is ready. */
  running?: Running;
}

/**
 * The server: reads what it is to do from `args` and the configuration file, does it until a signal stops it, and resolves
 * with the exit code: 0 after a clean stop, 1 when it could not start, with the reason on stderr. Never rejects.
 */
export async function runServer(
  args: readonly string[],
  terminal: Terminal,
  signals = takeSignals(terminal),
): Promise<number> {
  const load = (): ServerOptions => loadServerOptions({ args, env: terminal.env, cwd: terminal.cwd() });
  let options: ServerOptions | undefined;
  try {
    options = load();
    if (options.help) printLine(terminal, helpText());
    else if (options.version) printLine(terminal, VERSION);
    else await serveUntilStopped(options, load, terminal, signals);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    const loaded = options;
    // An invalid configuration does not say how to log, and its problems are easier to read line by line.
    if (loaded === undefined) printError(terminal, message);
    else createLog(terminal, () => loaded)('error', 'start-failed', message);
    return 1;
  } finally {
    signals.release();
  }
}

/**
 * Serves until a signal stops it: opens the list, listens, registers; then deregisters, keeps serving for `shutdown-delay`
 * seconds, and closes. A signal before the server is ready undoes what has been done so far.
 *
 * @throws The reason why it cannot start.
 */
async function serveUntilStopped(
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
  let served: ServedEndpoints = new Map();
  const handlerFor = await handlers(options);
  const opening = { options, bound, served: () => served, handlerFor, env: terminal.env, log, stop };
  parts.coordinators = await createClientLists(await openListSource(opening), opening);
  stop.throwIfAborted();
  const { coordinators, status } = parts;
  const application = createHostApplication(coordinators, log, status?.requests.middleware);
  parts.listening = await listenOn(application, options.endpoints, ssl === undefined ? {} : { ssl });
  served = servedEndpoints(options.endpoints, parts.listening);
  listens(parts.listening);
  stop.throwIfAborted();
  await parts.coordinators.join?.();
  stop.throwIfAborted();
  await coordinators.opened();
  stop.throwIfAborted();
  status?.serving(coordinators);
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

/** Answers with lists, and with the page of each, which is loaded on demand. */
async function handlers({ page, role }: ServerOptions): Promise<Opening['handlerFor']> {
  if (page !== true) return (list) => createListHandler(role, list);
  const { createListingPage } = await import('../../page/index.js');
  return (list) => {
    const { horizon, provider: endpoints, directory } = list;
    const title = horizon === undefined ? {} : { title: `Endpoint listing for horizon ${horizon}` };
    return createListHandler(role, list, createListingPage({ role, endpoints, directory, ...title }));
  };
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
