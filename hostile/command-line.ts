import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/**
 * The numbers that a run was started with: `--name N` for each of the names, and `--seed N`, without which it takes a new one.
 * Prints them, so that the run can be repeated.
 *
 * @throws `TypeError` for an unknown name, and for what is not a whole number above 0.
 */
export function numbersFrom<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
): Record<Name | 'seed', number> {
  const numbers: Record<string, number> = { ...defaults, seed: randomInt(1, 2 ** 31) };
  const options = Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string' as const }]));
  for (const [name, text] of Object.entries(parseArgs({ args: [...args], options }).values)) {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`--${name} takes a whole number above 0`);
    numbers[name] = value;
  }
  console.log(...Object.entries(numbers).map(([name, value]) => `--${name} ${String(value)}`));
  return numbers;
}

/** Prints what a step found, and makes the process fail at its end if that was a fault. */
export function conclude(title: string, figures: unknown, faults: readonly string[]): void {
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAULTS'} ${title}: ${JSON.stringify(figures)}`);
  for (const fault of faults.slice(0, 20)) console.log(`       ${fault}`);
  if (faults.length > 20) console.log(`       and ${String(faults.length - 20)} more`);
  if (faults.length > 0) process.exitCode = 1;
}
