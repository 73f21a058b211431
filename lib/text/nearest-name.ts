/** A larger difference is not a typo: `coordinator-config` does not mean `coordinator`. */
const MOST_TYPOS = 3;

/**
 * The name that was probably meant: at most a third of its letters differ, and at most three. The part after the last dot is
 * enough, so `endpoint` means `server.endpoint`.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const letters = Array.from(comparable(written));
  let nearest: string | undefined;
  let least = Math.min(MOST_TYPOS, Math.max(1, Math.floor(letters.length / 3))) + 1;
  for (const name of names) {
    const known = comparable(name);
    for (const candidate of [known, known.slice(known.lastIndexOf('.') + 1)]) {
      const distance = editDistance(letters, candidate, least);
      if (distance < least) [nearest, least] = [name, distance];
    }
  }
  return nearest;
}

function comparable(name: string): string {
  return name.replace(/^-+/, '').toLowerCase();
}

/**
 * The number of letters to insert, delete or replace (Levenshtein), or `limit` if it is obviously no less.
 *
 * Hand-written because it is short, and a library would be a dependency of every user of the router.
 */
function editDistance(from: readonly string[], to: string, limit: number): number {
  // No work for a text that is much longer than any name.
  // Stryker disable next-line ConditionalExpression,EqualityOperator: without it, the same comes out later.
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  let left = to.length;
  for (const [index, letter] of from.entries()) {
    let diagonal = index;
    left = index + 1;
    row = row.map((above, column) => {
      left = Math.min(diagonal + Number(letter !== to[column - 1]), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return left;
}
