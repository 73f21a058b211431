import Sequencer from '@jest/test-sequencer';

const usesThePackage = ({ context }) => Boolean(context.config.globalSetup);

/**
 * A short test comes first, so that the first result is there in seconds; then the long ones. What uses the package comes when
 * it has been built, beside the others.
 */
export default class FirstResultSoon extends Sequencer {
  sort(tests) {
    const longestFirst = super.sort(tests);
    const others = longestFirst.filter((test) => !usesThePackage(test));
    const shortest = others.splice(-1);
    const built = Math.ceil(others.length / 3);
    return [...shortest, ...others.slice(0, built), ...longestFirst.filter(usesThePackage), ...others.slice(built)];
  }
}
