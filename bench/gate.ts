import { availableParallelism } from 'node:os';
import type { Group } from './plan.js';
import type { Profile } from './profile.js';
import { eachInLanes, inTurns, joined, type Course } from './turns.js';
import { nameOf, type Variant } from './variant.js';
import { WorkerProcess } from './worker-process.js';

/** How long everything takes. */
export interface Pace {
  readonly warmUpMs: number;
  /** Rounds in a pass. */
  readonly rounds: number;
  readonly roundMs: number;
  /** Windows in a round, at least. */
  readonly windows: number;
}

/** The instrument that decides: each variant in a process of its own, over memory instead of sockets, in turns. */
export async function measureInProcess(
  { variants, passes }: Pick<Group, 'variants' | 'passes'>,
  pace: Pace,
  execPath: string,
): Promise<Course[]> {
  const measured: Course[][] = [];
  for (let pass = 0; pass < passes; pass += 1) measured.push(await measureOnce(variants, pace, execPath));
  return joined(measured);
}

async function measureOnce(variants: readonly Variant[], pace: Pace, execPath: string): Promise<Course[]> {
  const workers: WorkerProcess[] = [];
  try {
    await eachInLanes(variants, availableParallelism(), async (variant, index) => {
      const worker = await WorkerProcess.start(variant, execPath);
      workers[index] = worker;
      await worker.round(pace.warmUpMs, pace.windows);
    });
    return await inTurns(workers, pace.rounds, (worker) => worker.round(pace.roundMs, pace.windows));
  } finally {
    // Not `for of`: where one could not start, the list has a hole.
    workers.forEach((worker) => {
      worker.stop();
    });
  }
}

/** Where the time of a request goes, for one variant. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** Profiles one variant after the other, each in a process of its own. */
export async function measureProfiles(
  variants: readonly Variant[],
  warmUpMs: number,
  ms: number,
): Promise<NamedProfile[]> {
  const profiles: NamedProfile[] = [];
  for (const variant of variants) {
    const worker = await WorkerProcess.start(variant, process.execPath);
    try {
      await worker.round(warmUpMs, 1);
      profiles.push({ name: nameOf(variant), profile: await worker.profile(ms) });
    } finally {
      worker.stop();
    }
  }
  return profiles;
}
