// For `node --import`: the program and the package that it uses get Express 4 where they ask for Express.
import * as module from 'node:module';
import { isMainThread } from 'node:worker_threads';

export const resolve = (specifier, context, next) => next(specifier === 'express' ? 'express4' : specifier, context);

// Node 20 has only the older way, of which Node 26 warns. It loads this file once more, on a thread for the hooks.
if (module.registerHooks !== undefined) module.registerHooks({ resolve });
else if (isMainThread) module.register(import.meta.url);
