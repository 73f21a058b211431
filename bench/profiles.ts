import type { Profile } from './profile.js';
import { nameOf, type Variant } from './variant.js';
import { WorkerProcess } from './worker-process.js';

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
