import type { ServerOptions } from '../config/index.js';
import type { EndpointDirectory } from '../dns-srv/index.js';
import { firstOf, printable } from '../text/shown.js';
import type { Terminal } from './terminal.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/**
 * Logs one event.
 *
 * @param event - A short fixed word, for machines: `registered`.
 * @param message - For people, a complete sentence.
 * @param fields - What the message says, for machines; only in JSON. Never a secret.
 */
export type Log = (level: LogLevel, event: string, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Of one kind, from one reading of a source. */
const MAX_LINES = 20;
/** The time between two readings. */
const PERIOD_MS = 5000;
const SEVERITY = { error: 0, warn: 1, info: 2, debug: 3 } as const;
/** Before the message in text: only problems need a word. */
const WORDS = { error: 'error: ', warn: 'warn: ', info: '', debug: '' } as const;

/**
 * Creates a log on stderr: a line for each event. In text a line begins with its time, unless journald adds one.
 *
 * @param options - Returns the current options for each event: SIGHUP may change format and level.
 */
export function createLog(
  terminal: Terminal,
  options: () => Pick<ServerOptions, 'logFormat' | 'logLevel' | 'logTime'>,
): Log {
  const hasTime = terminal.env['JOURNAL_STREAM'] === undefined;
  return (level, event, message, fields = {}) => {
    const { logFormat = 'text', logLevel = 'info', logTime = hasTime } = options();
    if (SEVERITY[level] > SEVERITY[logLevel]) return;
    const time = new Date().toISOString();
    const text = message.replace(/:\n\s*/g, ': ').replaceAll(/\n\s*/g, '; ');
    const line =
      logFormat === 'json'
        ? JSON.stringify({ time, level, event, message, ...fields })
        : `${logTime ? `${time} ` : ''}express-endpoint-listing: ${WORDS[level]}${text}`;
    terminal.stderr.write(`${printable(line)}\n`);
  };
}

/**
 * Logs what happens to a directory.
 *
 * @param remedyFor - What can be done about a failure, for the end of its line.
 */
export function logDirectory(
  directory: EndpointDirectory,
  log: Log,
  remedyFor: (reason: Error) => string = () => '',
): void {
  directory.on('change', (endpoints) => logList(endpoints, log));
  directory.on('stale', (reason) =>
    log('warn', 'list-stale', `coordinator list is stale: ${reason.message}${remedyFor(reason)}`),
  );
  directory.on('still-stale', (reason) =>
    log('warn', 'list-stale', `coordinator list is still stale: ${reason.message}${remedyFor(reason)}`),
  );
  directory.on('live', () => log('info', 'list-live', 'coordinator list is live again'));
  directory.on('expired', () =>
    log('error', 'list-expired', 'coordinator list has expired: the cluster route answers 503'),
  );
  directory.on('skipped', (refusals) =>
    logSkipped(
      refusals.map(({ message }) => message),
      log,
    ),
  );
  const atFirst = directory.status().entries.filter(({ state }) => state === 'skipped');
  logSkipped(
    atFirst.map(({ source, reason }) => (source === '' ? String(reason) : `${source}: ${String(reason)}`)),
    log,
  );
}

/** Logs the skipped entries of one reading of a source, at a bounded rate. */
function logSkipped(reasons: readonly string[], log: Log): void {
  for (const reason of reasons.slice(0, MAX_LINES)) {
    log('warn', 'entry-skipped', `skipped an entry of the registry: ${reason}`);
  }
  const more = reasons.length - MAX_LINES;
  if (more > 0) log('warn', 'entries-skipped', `skipped ${String(more)} more entries of the registry`);
}

/**
 * Of one kind of event that comes one by one, lets the first {@link MAX_LINES} different lines of each period through, and says at its end
 * how many more there were.
 *
 * @param what - What they are, for that line: `endpoints are down`.
 */
export function inFewLines(log: Log, what: string, periodMs = PERIOD_MS): Log {
  const said = new Set<string>();
  let unsaid = 0;
  let period: NodeJS.Timeout | undefined;
  return (level, event, message, fields) => {
    period ??= setTimeout(() => {
      if (unsaid > 0) log(level, event, `${String(unsaid)} more ${what}`);
      said.clear();
      unsaid = 0;
      period = undefined;
    }, periodMs).unref();
    if (said.size === MAX_LINES || said.has(message)) unsaid += 1;
    else {
      said.add(message);
      log(level, event, message, fields);
    }
  };
}

/** Logs the new list of the cluster route. */
export function logList(endpoints: readonly string[], log: Log): void {
  log(
    'info',
    'coordinators',
    `coordinators: ${firstOf(endpoints, ' ') || 'none'}`,
    firstFields('endpoints', endpoints),
  );
}

/** The first of many for machines, and how many there are. */
export function firstFields(name: string, texts: readonly string[]): Readonly<Record<string, unknown>> {
  return { [name]: texts.slice(0, MAX_LINES), count: texts.length };
}
