import Sequencer from '@jest/test-sequencer';

/**
 * What takes the longest in the long run, and how many seconds it takes beside others. Most of them wait for an engine, a browser
 * or npm. Jest does not know in a fresh clone: it takes the largest files first, and these are not large.
 */
const SECONDS = {
  'page/browser/page': 140,
  'etcd/cuts': 70,
  'gateway/chaos': 90,
  'engines/coordinators': 90,
  'package/consumers': 130,
  'engines/health-load': 75,
  'engines/chaos': 65,
  'page/browser/usable': 75,
  'package/package-managers': 55,
  'package/node-types': 55,
  'check/many-endpoints': 60,
  'package/bundlers': 40,
  'listen/keep-alive': 20,
  'engines/etcd-close': 25,
};

/** Two of them are to run at any time, beside what keeps the processors busy: each with the share of the run that goes before it. */
function inTwoLanes(tests) {
  const known = Object.entries(SECONDS).flatMap(([name, seconds]) => {
    const test = tests.find(({ path }) => path.includes(`/__tests__/${name}.`));
    return test === undefined ? [] : [{ test, seconds }];
  });
  // The last of them end before the run does, which short tests fill up to its end.
  const run = known.reduce((sum, { seconds }) => sum + seconds, 0) / 2 / 0.85;
  const lanes = [0, 0];
  return known.map(({ test, seconds }) => {
    const lane = lanes[0] <= lanes[1] ? 0 : 1;
    const startsAt = lanes[lane] / run;
    lanes[lane] += seconds;
    return { test, startsAt };
  });
}

const usesThePackage = ({ context }) => Boolean(context.config.globalSetup);

/**
 * A short test comes first, so that the first result is there in seconds; then the long ones. What uses the package comes when
 * it has been built, beside the others.
 */
export default class FirstResultSoon extends Sequencer {
  sort(tests) {
    const longestFirst = super.sort(tests);
    const laid = inTwoLanes(longestFirst);
    const filling = longestFirst.filter((test) => !laid.some((long) => long.test === test));
    const others = filling.filter((test) => !usesThePackage(test));
    const shortest = others.splice(-1);
    const built = Math.ceil(others.length / 3);
    const queue = [...shortest, ...others.slice(0, built), ...filling.filter(usesThePackage), ...others.slice(built)];
    const placed = [
      ...queue.map((test, at) => ({ test, at })),
      ...laid.map(({ test, startsAt }) => ({ test, at: 0.5 + startsAt * queue.length })),
    ];
    return placed.sort((a, b) => a.at - b.at).map(({ test }) => test);
  }
}
