import tsJest from 'ts-jest';

/**
 * ts-jest, but a file is compiled once for all projects: ts-jest's key in Jest's cache holds all of a project's configuration,
 * and the code that comes out depends on none of what tells projects apart.
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
