import { register } from 'node:module';

/** For `node --import`: the program and the package that it uses get Express 4 where they ask for Express. */
register('./express4-hook.js', import.meta.url);
