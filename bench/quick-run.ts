import { measureCounts } from './counts.js';
import { measureInProcess } from './gate.js';
import { ON_SOCKETS, PROFILED, QUICK_GROUPS } from './plan.js';
import { measureProfiles } from './profiles.js';
import { measureOnSockets } from './sockets.js';

/** Runs every kind of variant once, to see that it runs. A wrong answer throws. */
export async function runQuick(): Promise<void> {
  const pace = { warmUpMs: 0, rounds: 1, roundMs: 0, windows: 1 };
  let variants = 0;
  for (const { variants: all } of QUICK_GROUPS) {
    variants += (await measureInProcess({ variants: all, passes: 1 }, pace, process.execPath)).length;
  }
  variants += (await measureOnSockets(ON_SOCKETS.slice(0, 3), 1)).length;
  await measureProfiles(PROFILED.slice(0, 1), 0, 100);
  await measureCounts(1);
  console.log(`${String(variants)} variants ran, and no answer was wrong; how fast they are, only a full run can tell`);
}
