import { availableParallelism } from 'node:os';
import { eachInLanes } from './lanes.js';
import { inTurns, type Course } from './turns.js';
import type { Group } from './plan.js';
import { WorkerProcess } from './worker-process.js';

/** How long everything takes. */
export interface Pace {
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly roundMs: number;
  /** Windows in a round, at least. */
  readonly windows: number;
}

/** The instrument that decides: each variant in a process of its own, over memory instead of sockets, in turns. */
export async function measureInProcess(group: Group, pace: Pace, execPath: string): Promise<Course[]> {
  const workers: WorkerProcess[] = [];
  try {
    await eachInLanes(group.variants, availableParallelism(), async (variant, index) => {
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
