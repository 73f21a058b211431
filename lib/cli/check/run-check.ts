import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { checkEndpoints, ListingError } from '../../client/index.js';
import { inOptionWords } from '../../command-line/option.js';
import { readCommand } from '../../command-line/read-command.js';
import { isUntrusted } from '../remedies.js';
import { printLine, type CheckTerminal } from '../terminal.js';
import { CHECK_OPTIONS, checkArguments, checkHelp, type CheckArguments } from './arguments.js';
import { OutcomePrinter, type Outcome } from './outcome.js';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { secretFrom } from '../../command-line/secret-variables.js';

const WATCH_INTERVAL_MS = 2000;

/**
 * The subcommand `check`: tries every endpoint of a listing from this machine and prints what it found. Resolves with the exit
 * code: 0 when all can be used, 1 when some cannot, a warning breaks drivers or a requested driver breaks, 2 when there is no listing to check,
 * with the reason on stderr. Never rejects.
 */
export async function runCheck(args: readonly string[], terminal: CheckTerminal): Promise<number> {
  const command = readCommand(args, CHECK_OPTIONS);
  if (command.values.help === true) {
    printLine(terminal, checkHelp());
    return 0;
  }
  const printer = new OutcomePrinter(command.values, terminal);
  try {
    const given = checkArguments(command, terminal.cwd());
    const { user, options, headers } = given;
    const authorization = user === undefined ? {} : { authorization: await basic(user, terminal) };
    const complete = { ...given, options: { ...options, headers: { ...headers, ...authorization } } };
    if (command.values.watch === true) return await checkAgainAndAgain(complete, terminal, printer);
    const outcome = await outcomeOf(complete, printer, true);
    printer.print(outcome);
    return outcome.exitCode;
  } catch (error) {
    printer.print(refusal(error as Error));
    return 2;
  }
}

async function basic(user: string, terminal: CheckTerminal): Promise<string> {
  if (user.includes(':')) throw new Error('--user must not contain a colon');
  return `Basic ${Buffer.from(`${user}:${await passwordOf(user, terminal)}`).toString('base64')}`;
}

function refusal(error: Error): Outcome {
  return { exitCode: 2, error: new Error(inOptionWords(error.message, CHECK_OPTIONS)), remedy: '' };
}

async function outcomeOf(
  given: CheckArguments,
  printer: OutcomePrinter,
  showsProgress: boolean,
  signal?: AbortSignal,
): Promise<Outcome> {
  const onProgress = (done: number, total: number): void => {
    if (showsProgress) printer.showProgress(`tried ${String(done)} of ${String(total)}`);
  };
  try {
    const { url, options } = given;
    const check = await checkEndpoints(url, { ...options, onProgress, ...(signal !== undefined && { signal }) });
    return { exitCode: check.ok ? 0 : 1, check };
  } catch (error) {
    if (!(error instanceof ListingError)) return refusal(error as Error);
    return { exitCode: 2, error, remedy: checkRemedy(error, given) };
  } finally {
    if (showsProgress) printer.showProgress();
  }
}

/** How to fix a failed request for the listing. */
function checkRemedy(error: ListingError, { url, user, headers, options }: CheckArguments): string {
  const { code, errorNum, message } = error;
  if (errorNum === 1230 && options.database !== undefined) return '; only _system has the listing: omit --database';
  if (isUntrusted(message)) {
    const authority =
      options.tls === undefined ? 'name its authority with --ca FILE' : 'its authority is not in the file of --ca';
    return `; ${authority}, or accept any certificate with --insecure`;
  }
  if (code !== 401) return '';
  if (user !== undefined || url.includes('@')) return '; the user or the password is wrong';
  const isSent = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return isSent ? '; the Authorization of --header was refused' : '; no user was sent: give one with --user NAME';
}

/** Checks until Ctrl-C, or until the reader of the reports has gone; resolves with the code of the last check that has ended. */
async function checkAgainAndAgain(
  given: CheckArguments,
  terminal: CheckTerminal,
  printer: OutcomePrinter,
): Promise<number> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const hasLeft = (): boolean => leaving.signal.aborted;
  terminal.on('SIGINT', leave);
  terminal.on('SIGTERM', leave);
  terminal.stdout.on('error', leave);
  let exitCode = 0;
  try {
    for (let isFirst = true; !hasLeft(); isFirst = false) {
      if (!isFirst) printer.printGap();
      // A stream says soon, but not at once, that its reader has gone.
      await nextTurn();
      if (hasLeft()) break;
      const outcome = await outcomeOf(given, printer, isFirst, leaving.signal);
      if (hasLeft()) break;
      exitCode = outcome.exitCode;
      // A wrong command line will not recover.
      if ('error' in outcome && !(outcome.error instanceof ListingError)) throw outcome.error;
      printer.printAgain(outcome, isFirst);
      await pause(WATCH_INTERVAL_MS, leaving.signal);
    }
    return exitCode;
  } finally {
    terminal.off('SIGINT', leave);
    terminal.off('SIGTERM', leave);
    terminal.stdout.off('error', leave);
  }
}

/** Ends early, and at once, when the signal aborts or has aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

const VARIABLE = 'ENDPOINT_LISTING_PASSWORD';

/**
 * The password of a user: from the environment, or else typed at the terminal, which does not show it. Never from the command
 * line, which every user of a machine can read.
 *
 * @throws Error when it has a line break, when there is neither, or the user gives up with Ctrl-C or Ctrl-D.
 */
async function passwordOf(user: string, { env, stdin, stderr }: CheckTerminal): Promise<string> {
  const given = secretFrom(env, VARIABLE);
  if (given !== undefined) return given;
  if (stdin.isTTY !== true) throw new Error(`no terminal to ask for the password of ${user}: set ${VARIABLE}`);
  // First: the terminal shows what is typed until it is told not to.
  const typed = hiddenLine(stdin);
  stderr.write(`Password of ${user}: `);
  try {
    return await typed;
  } finally {
    stderr.write('\n');
  }
}

function hiddenLine(input: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // With `terminal`, the line can be edited; its echo is discarded.
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() }); // prettier-ignore
    const line = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
    line.on('line', (text) => {
      resolve(text);
      line.close();
    });
    line.on('close', () => reject(new Error('no password given')));
  });
}
