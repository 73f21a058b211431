import * as module from 'node:module';
import { resolve } from './express4-hook.js';

/** For `node --import`: the program and the package that it uses get Express 4 where they ask for Express. */
const registerHooks = Reflect.get(module, 'registerHooks') as ((hooks: object) => void) | undefined;
// Node 20 has only the older way, of which Node 26 warns.
if (registerHooks === undefined) module.register('./express4-hook.js', import.meta.url);
else registerHooks({ resolve });
