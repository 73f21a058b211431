const MAX_CHARACTERS = 64;

/**
 * The name that somebody most likely meant: at most a third of its letters differ. The part behind the last dot is enough,
 * so `endpoint` means `server.endpoint`.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > MAX_CHARACTERS) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(written.length / 3)) + 1;
  for (const name of names) {
    const lastPart = name.slice(name.lastIndexOf('.') + 1);
    const distance = Math.min(editDistance(written, name), editDistance(written, lastPart));
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/**
 * How many letters must be put in, taken out or changed (Levenshtein).
 *
 * Written by hand because it is ten lines, and a library for it would become a dependency of everyone who installs the router.
 */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  let left = to.length;
  for (const [index, letter] of Array.from(from).entries()) {
    let diagonal = index;
    left = index + 1;
    const rest = row.slice(1).map((above, column) => {
      left = Math.min(diagonal + Number(letter !== to[column]), above + 1, left + 1);
      diagonal = above;
      return left;
    });
    row = [index + 1, ...rest];
  }
  return left;
}
