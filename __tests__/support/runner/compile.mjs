import tsJest from 'ts-jest';

/**
 * ts-jest, which compiles a file once for all projects of a run: its key in the cache has the whole configuration of a project
 * in it, of which the code that comes out does not depend.
 */
export default {
  createTransformer(options) {
    const transformer = tsJest.default.createTransformer(options);
    let shared;
    const sharing = ({ config, ...more }) => {
      const { rootDir, cwd, cache, cacheDirectory, transform } = config;
      // One object, for ts-jest makes a compiler for each that it has not seen.
      shared ??= { rootDir, cwd, cache, cacheDirectory, transform };
      return { ...more, config: shared };
    };
    return {
      process: (text, path, context) => transformer.process(text, path, sharing(context)),
      getCacheKey: (text, path, context) => transformer.getCacheKey(text, path, sharing(context)),
    };
  },
};
