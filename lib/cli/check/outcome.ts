import { ListingError, type DriverCheck, type ListingCheck } from '../../client/index.js';
import { printable } from '../../text/shown.js';
import { printError, printLine, type CheckTerminal } from '../terminal.js';
import { type Layout, reportText, driverLines } from './report.js';

/** The outcome of one check, and its exit code. */
export type Outcome = { readonly exitCode: 0 | 1; readonly check: ListingCheck } | Failed;

/** Nothing to check: `remedy` stands at the end of the error's line. */
interface Failed {
  readonly exitCode: 2;
  readonly error: Error;
  readonly remedy: string;
}

/** The requested form of the results. */
export interface Format {
  readonly json?: true;
  readonly 'no-color'?: true;
}

const TO_TOP = '\u001b[H';
const CLEAR = '\u001b[2J';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
/** A terminal that reports less does not know its size. */
const LEAST_COLUMNS = 3;
const LEAST_ROWS = 4;

/** Prints outcomes for people or machines. */
export class OutcomePrinter {
  /** Whether the terminal knows escape sequences. */
  readonly #isClever: boolean;

  constructor(
    private readonly format: Format,
    private readonly terminal: CheckTerminal,
  ) {
    this.#isClever = terminal.env['TERM'] !== 'dumb';
  }

  /** @param time - When it was, for one report of several. */
  print(outcome: Outcome, time = ''): void {
    const terminal = this.terminal;
    if (this.format.json === true) printLine(terminal, printable(JSON.stringify(forMachines(outcome))));
    else if ('check' in outcome) printLine(terminal, time + reportText(outcome.check, this.#layout()));
    else if (driversOf(outcome) !== undefined) printLine(terminal, time + this.#driversText(outcome));
    if ('error' in outcome) printError(terminal, time + outcome.error.message + outcome.remedy);
  }

  /** Prints the outcome in place on a terminal, one below the other elsewhere. */
  printAgain(outcome: Outcome, isFirst: boolean): void {
    const { stdout } = this.terminal;
    if (!this.#isInPlace()) {
      this.print(outcome, `${new Date().toISOString()} `);
      return;
    }
    const text =
      'check' in outcome
        ? reportText(outcome.check, this.#layout())
        : [printable(outcome.error.message + outcome.remedy), this.#driversText(outcome)].join('\n\n').trim();
    const lines = [`${new Date().toLocaleTimeString()}, again every 2 s until Ctrl-C`, '', ...text.split('\n')];
    // What does not fit would scroll, and the next report would not stand in its place.
    const height = sizeOf(stdout.rows, LEAST_ROWS, 24);
    const fitting =
      lines.length < height
        ? lines
        : [...lines.slice(0, height - 2), `... ${String(lines.length - height + 2)} more lines`];
    stdout.write(
      `${isFirst ? CLEAR : ''}${TO_TOP}${fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('')}${CLEAR_BELOW}`,
    );
  }

  /** Writes the separator of two reports: it fails before the next check if the reader of the pipe has closed it. */
  printGap(): void {
    if (!this.#isInPlace()) this.terminal.stdout.write(this.format.json === true ? ' ' : '\n');
  }

  /** How many endpoints have been tried; nothing once all is over. */
  showProgress(progress = ''): void {
    const { stderr } = this.terminal;
    if (stderr.isTTY === true && this.#isClever) stderr.write(`\r${progress}${CLEAR_LINE}`);
  }

  #driversText(outcome: Failed): string {
    return driverLines(driversOf(outcome) ?? [], this.#layout()).join('\n');
  }

  #isInPlace(): boolean {
    return this.terminal.stdout.isTTY === true && this.#isClever && this.format.json !== true;
  }

  #layout(): Layout {
    const { stdout, env } = this.terminal;
    if (stdout.isTTY !== true) return { width: Infinity, colors: false };
    const isColorless = this.format['no-color'] === true || (env['NO_COLOR'] ?? '') !== '';
    return { width: sizeOf(stdout.columns, LEAST_COLUMNS, 80), colors: !isColorless && this.#isClever };
  }
}

function driversOf({ error }: Failed): readonly DriverCheck[] | undefined {
  return error instanceof ListingError ? error.drivers : undefined;
}

/** One shape for machines, described by check.schema.json. */
function forMachines(outcome: Outcome): object {
  if ('check' in outcome) return outcome.check;
  const { message } = outcome.error;
  const { kind, code, errorNum } = outcome.error instanceof ListingError ? outcome.error : { kind: 'usage' };
  return { ok: false, error: { kind, message, code, errorNum }, drivers: driversOf(outcome) };
}

/** The size of a terminal, or the usual one. */
function sizeOf(said: number | undefined, least: number, usual: number): number {
  return said !== undefined && said >= least ? said : usual;
}
