import { shown } from '../text/shown.js';
import { ListingError } from './listing-error.js';

/**
 * The error that an answer stands for, with whatever it says of `code`, `errorNum` and `errorMessage`.
 *
 * @param body - The parsed body; anything but an error body says nothing.
 * @param status - The HTTP status, for a body that names none.
 */
export function refusal(body: unknown, status?: number): ListingError {
  const said = typeof body === 'object' && body !== null && ownValue(body, 'error') === true ? body : {};
  const code = integer(ownValue(said, 'code')) ?? status;
  const errorNum = integer(ownValue(said, 'errorNum'));
  const errorMessage = text(ownValue(said, 'errorMessage'));

  const numbers = [code, errorNum].filter((number) => number !== undefined).join(' / ');
  const withNumbers = numbers === '' ? '' : ` with ${numbers}`;
  const inWords = errorMessage === undefined ? '' : `: ${shown(errorMessage)}`;
  return new ListingError('refused', `the server refused${withNumbers}${inWords}`, { code, errorNum, errorMessage });
}

/** An attribute of the object itself, never of its prototype, which the whole process can change. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function integer(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
