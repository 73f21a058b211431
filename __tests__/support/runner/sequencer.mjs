import Sequencer from '@jest/test-sequencer';

/**
 * What takes the longest in the long run. Jest knows no times in a fresh clone and takes the largest file first, and these are
 * not large.
 */
const LONGEST = [
  'page/browser/page',
  'etcd/cuts',
  'package/consumers',
  'engines/coordinators',
  'package/package-managers',
  'gateway/chaos',
  'engines/chaos',
  'package/node-types',
  'engines/health-load',
  'page/browser/usable',
  'check/many-endpoints',
  'listen/keep-alive',
].map((file) => `/__tests__/${file}.`);

/** The place of a test in that list, behind the others if it is in none or Jest knows its time. */
function placeOf({ path, duration }) {
  const place = LONGEST.findIndex((file) => path.includes(file));
  return place === -1 || duration !== undefined ? LONGEST.length : place;
}

const usesThePackage = ({ context }) => Boolean(context.config.globalSetup);

/**
 * A short test comes first, so that the first result is there in seconds; then the long ones. What uses the package comes when
 * it has been built, beside the others.
 */
export default class FirstResultSoon extends Sequencer {
  sort(tests) {
    const longestFirst = super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
    const others = longestFirst.filter((test) => !usesThePackage(test));
    const shortest = others.splice(-1);
    const built = Math.ceil(others.length / 3);
    return [...shortest, ...others.slice(0, built), ...longestFirst.filter(usesThePackage), ...others.slice(built)];
  }
}
