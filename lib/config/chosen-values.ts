import type { GivenValue } from './given-value.js';
import { isServerOption, SERVER_OPTIONS, type ServerOptionName } from './option-table.js';

/** The values that count, by option: at least one for each option that is in it. */
export type ChosenValues = ReadonlyMap<ServerOptionName, readonly GivenValue[]>;

/**
 * For each option the values of the first source that has any: a source replaces those behind it, it does not add to them.
 * Within it the last value counts, or, of a repeatable option, each different one.
 */
export function chosenValues(sources: readonly (readonly GivenValue[])[]): ChosenValues {
  const chosen = new Map<ServerOptionName, readonly GivenValue[]>();
  for (const { name, repeatable } of SERVER_OPTIONS) {
    if (!isServerOption(name)) continue;
    const values = sources.map((source) => source.filter((value) => value.name === name)).find((own) => own.length > 0);
    if (values !== undefined) chosen.set(name, repeatable ? distinct(values) : values.slice(-1));
  }
  return chosen;
}

function distinct(values: readonly GivenValue[]): readonly GivenValue[] {
  const first = new Map<string, GivenValue>();
  for (const given of values) if (!first.has(given.value)) first.set(given.value, given);
  return [...first.values()];
}
