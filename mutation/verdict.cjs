/** The mutants in a report of StrykerJS: what stood where, what stands there now, and what the tests said. */
exports.mutantsOf = function mutantsOf({ files }) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, location, replacement }) => ({
      file,
      line: source.split('\n')[location.start.line - 1].trim(),
      code: textAt(source, location),
      replacement,
      status,
    })),
  );
};

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

const isKilled = ({ status }) => status === 'Killed' || status === 'Timeout';
const isAlive = ({ status }) => status === 'Survived' || status === 'NoCoverage';
const keyOf = ({ file, line, code, replacement }) => JSON.stringify([file, line, code, replacement]);

/** How many mutants the tests killed, in percent of those that could be tried. */
exports.scoreOf = function scoreOf(mutants) {
  const killed = mutants.filter(isKilled).length;
  const alive = mutants.filter(isAlive).length;
  return { killed, alive, score: Number(((100 * killed) / (killed + alive)).toFixed(1)) };
};

/** The survivors that have no reason yet, and the reasons that are about no survivor any more. */
exports.comparedWith = function comparedWith(mutants, survivors) {
  const alive = mutants.filter(isAlive);
  const [aliveKeys, namedKeys] = [alive, survivors].map((all) => new Set(all.map(keyOf)));
  const tried = new Set(mutants.map(({ file }) => file));
  return {
    unnamed: alive.filter((mutant) => !namedKeys.has(keyOf(mutant))),
    outdated: survivors.filter((survivor) => tried.has(survivor.file) && !aliveKeys.has(keyOf(survivor))),
  };
};
