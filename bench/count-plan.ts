import { variant, type Variant } from './variant.js';

/** What every figure is divided by. */
export const BARE = variant('node:http', 'constant');

/** The router at its best, and in an application without any tuning. */
const ROUTER = variant('createAppServer', 'snapshot', { poweredBy: false });
const ROUTER_POWERED = variant('createAppServer', 'snapshot');
const asked = (ask: Variant['ask']): Variant => ({ ...ROUTER, ask });

/** What a change of the router may not make worse: their ratios to bare `node:http` are committed. */
export const GUARDED: readonly Variant[] = [ROUTER, ROUTER_POWERED, asked('400'), asked('405')];

/** What one could have instead, and what the router costs where Express makes the server. The last two take the longest. */
export const COMPARED: readonly Variant[] = [
  BARE,
  variant('node:http', 'string'),
  ROUTER,
  variant('fastify', 'schema'),
  ROUTER_POWERED,
  variant('createAppServer', 'constant'),
  variant('app.listen', 'snapshot'),
  variant('app.listen', 'naive'),
];

/** What else the router answers. */
export const OTHER_ANSWERS: readonly Variant[] = [asked('server'), asked('400'), asked('405')];
