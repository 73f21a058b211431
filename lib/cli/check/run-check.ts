import { setTimeout as sleep } from 'node:timers/promises';
import { checkEndpoints, ListingError, type ListingCheck } from '../../client/index.js';
import { CHECK_HELP, checkArguments, type CheckArguments } from './arguments.js';
import { passwordOf } from './password.js';
import { reportText } from './report.js';
import type { CheckTerminal } from './terminal.js';
import { printError, printLine } from '../terminal.js';

const WATCH_INTERVAL_MS = 2000;
const TO_TOP = '\u001b[H';
const CLEAR = '\u001b[2J';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** What came of one check: what to print, and the exit code that it stands for. */
type Outcome =
  { readonly exitCode: 0 | 1; readonly check: ListingCheck } | { readonly exitCode: 2; readonly error: Error };

/**
 * The subcommand `check`: tries every endpoint of a listing from this machine and prints what it found. Resolves with the exit
 * code: 0 when all can be used, 1 when some cannot or a warning breaks drivers, 2 when there is no listing to check, with
 * the reason on stderr. Never rejects.
 */
export async function runCheck(args: readonly string[], terminal: CheckTerminal): Promise<number> {
  try {
    const given = checkArguments(args, terminal.cwd());
    if (given === undefined) {
      printLine(terminal, CHECK_HELP);
      return 0;
    }
    const { user, options, headers } = given;
    const authorization = user === undefined ? {} : { authorization: await basic(user, terminal) };
    const complete = { ...given, options: { ...options, headers: { ...headers, ...authorization } } };
    return await (given.watch ? checkAgainAndAgain(complete, terminal) : checkOnce(complete, terminal));
  } catch (error) {
    printError(terminal, (error as Error).message);
    return 2;
  }
}

async function basic(user: string, terminal: CheckTerminal): Promise<string> {
  if (user.includes(':')) throw new Error('--user must not contain a colon');
  return `Basic ${Buffer.from(`${user}:${await passwordOf(user, terminal)}`).toString('base64')}`;
}

async function checkOnce(given: CheckArguments, terminal: CheckTerminal): Promise<number> {
  const outcome = await outcomeOf(given, terminal, { showsProgress: true });
  print(given, outcome, terminal);
  return outcome.exitCode;
}

async function outcomeOf(
  { url, options }: CheckArguments,
  { stderr }: CheckTerminal,
  { showsProgress, signal }: { showsProgress: boolean; signal?: AbortSignal },
): Promise<Outcome> {
  const isShown = showsProgress && stderr.isTTY === true;
  const onProgress = (done: number, total: number): void => {
    if (isShown) stderr.write(`\rtried ${String(done)} of ${String(total)}${CLEAR_LINE}`);
  };
  try {
    const check = await checkEndpoints(url, { ...options, onProgress, ...(signal !== undefined && { signal }) });
    return { exitCode: check.ok ? 0 : 1, check };
  } catch (error) {
    return { exitCode: 2, error: error as Error };
  } finally {
    if (isShown) stderr.write(`\r${CLEAR_LINE}`);
  }
}

function print(given: CheckArguments, outcome: Outcome, terminal: CheckTerminal): void {
  if (given.json) printLine(terminal, JSON.stringify(resultForMachines(outcome)));
  else if ('check' in outcome) printLine(terminal, reportText(outcome.check, layoutOf(given, terminal)));
  if ('error' in outcome) printError(terminal, outcome.error.message + checkRemedy(outcome.error, given));
}

/** What to do where the server asks for a user. */
function checkRemedy(error: Error, { url, user, headers }: CheckArguments): string {
  if (!(error instanceof ListingError) || error.code !== 401) return '';
  if (user !== undefined || url.includes('@')) return '; the user or the password is wrong';
  const isSent = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return isSent ? '; the Authorization of --header was refused' : '; no user was sent: give one with --user NAME';
}

/** One shape for machines, described by check.schema.json. */
function resultForMachines(outcome: Outcome): object {
  if ('check' in outcome) return outcome.check;
  const { message } = outcome.error;
  const { kind, code, errorNum } = outcome.error instanceof ListingError ? outcome.error : { kind: 'usage' };
  return { ok: false, error: { kind, message, code, errorNum } };
}

function layoutOf({ noColor }: CheckArguments, { stdout, env }: CheckTerminal): { width: number; colors: boolean } {
  if (stdout.isTTY !== true) return { width: Infinity, colors: false };
  const isColorless = noColor || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return { width: stdout.columns ?? 80, colors: !isColorless };
}

/** Checks until Ctrl-C: in place on a terminal, one report below the other elsewhere. */
async function checkAgainAndAgain(given: CheckArguments, terminal: CheckTerminal): Promise<number> {
  const leaving = new AbortController();
  const leave = (): void => {
    leaving.abort();
  };
  terminal.on('SIGINT', leave);
  terminal.on('SIGTERM', leave);
  let exitCode = 0;
  try {
    for (let round = 0; ; round += 1) {
      const outcome = await outcomeOf(given, terminal, { showsProgress: round === 0, signal: leaving.signal });
      if (leaving.signal.aborted) return exitCode;
      exitCode = outcome.exitCode;
      // What is wrong with the command line will not mend itself.
      if ('error' in outcome && !(outcome.error instanceof ListingError)) throw outcome.error;
      show(given, outcome, terminal, round);
      await pause(WATCH_INTERVAL_MS, leaving.signal);
    }
  } finally {
    terminal.off('SIGINT', leave);
    terminal.off('SIGTERM', leave);
  }
}

function show(given: CheckArguments, outcome: Outcome, terminal: CheckTerminal, round: number): void {
  const { isTTY, rows = 24 } = terminal.stdout;
  if (isTTY !== true || given.json) {
    if (round > 0 && !given.json) printLine(terminal, '');
    print(given, outcome, terminal);
    return;
  }
  const text =
    'check' in outcome
      ? reportText(outcome.check, layoutOf(given, terminal))
      : outcome.error.message + checkRemedy(outcome.error, given);
  const lines = [`${new Date().toLocaleTimeString()}, again every 2 s until Ctrl-C`, '', ...text.split('\n')];
  // What does not fit would scroll, and the next report would not stand in its place.
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `... ${String(lines.length - rows + 2)} more lines`];
  terminal.stdout.write(
    `${round === 0 ? CLEAR : ''}${TO_TOP}${fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('')}${CLEAR_BELOW}`,
  );
}

/** Ends early, and at once, when the signal aborts or has aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
