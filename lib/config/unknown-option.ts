import { shown } from '../text/shown.js';
import { nearestName } from './nearest-name.js';

/** What to say of a written name that is none of `names`: which one was meant, or, if none comes near, which there are. */
export function unknownOption(written: string, names: readonly string[], dashes: '--' | ''): string {
  const nearest = nearestName(written.replace(/^-+/, ''), names);
  const advice =
    nearest === undefined
      ? `; known are ${names.map((known) => dashes + known).join(', ')}`
      : `, did you mean ${dashes}${nearest}?`;
  return `unknown option ${shown(written)}${advice}`;
}
