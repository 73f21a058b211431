import type { RawOutcome } from './connection.js';
import { namesOfAnswers } from './known-answers.js';

/**
 * A target that may be answered with a listing: read here once more, by other means than the router's, and rather too
 * generously in all but the database. The groups are the names behind `/_db/`, in the mount path and below it.
 */
const LISTING_TARGET =
  /^(?:https?:\/\/[^/?#]*)?(?:\/v1\/*(?=\/)|\/tenant\/_db\/([^/?#]+)\/*(?=\/))?(?:\/_db\/([^/?#]+))?\/_api\/(?:cluster\/endpoints|endpoint)\/?(?:\?.*)?$/i;

/** What is wrong with the answers to some bytes, whatever they were: nothing, if all is well. */
export function faultsOf(sent: string, { bytes, isClosed }: RawOutcome): string[] {
  const names = namesOfAnswers(bytes);
  const count = (name: RegExp): number => names.filter((each) => name.test(each)).length;
  const faults = names.filter((name) => name.startsWith('unknown'));
  if (!isClosed) faults.push('the connection was held for a minute');
  if (count(/^200$/) > listingsAskedFor(sent)) faults.push('a listing that nobody may ask for');
  if (count(/bodiless$/) > sent.split('HEAD ').length - 1) faults.push('an answer without its body');
  return faults;
}

/** At the most how many listings some bytes can ask for, wherever in them the requests begin. */
function listingsAskedFor(sent: string): number {
  return [...sent.matchAll(/GET +([^\s]+)/g)].filter(([, target = '']) => namesSystemOnly(target)).length;
}

function namesSystemOnly(target: string): boolean {
  const match = LISTING_TARGET.exec(target);
  if (match === null) return false;
  return match.slice(1).every((name: string | undefined) => name === undefined || decodesToSystem(name));
}

function decodesToSystem(name: string): boolean {
  try {
    return decodeURIComponent(name) === '_system';
  } catch {
    return false;
  }
}
