const { default: HasteMap } = require('jest-haste-map');

/** Jest's map of the files, with one folder for what all projects have compiled, where Jest would have one for each. */
module.exports = class SharedCache extends HasteMap {
  static getCacheFilePath(folder, name, ...more) {
    const shared = name.startsWith('jest-transform-cache-') ? 'jest-transform-cache-shared' : name;
    return super.getCacheFilePath(folder, shared, ...more);
  }

  /** Jest does the first step itself for its own map only. */
  async build() {
    await this.setupCachePath(this._options);
    return super.build();
  }
};
