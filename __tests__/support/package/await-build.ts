import { builtPackage } from './built-package.js';

// The time for the build is no test's.
beforeAll(() => builtPackage(), 300_000);
