import { Session, type Profiler } from 'node:inspector/promises';

/** Who a sampled moment belongs to, in the order of the table. */
export const OWNERS = ['node', 'framework', 'router', 'bench', 'garbage collector', 'native code'] as const;
/** The one who wrote the function that was running; `framework` is Express, or Fastify, with all that it brings along. */
export type Owner = (typeof OWNERS)[number];

/** Microseconds of one request, by owner. */
export type Profile = Readonly<Record<Owner, number>>;

/** Fine enough for a request that takes 10 microseconds, since many thousand of them are sampled. */
const SAMPLING_INTERVAL_US = 100;

/** Runs something under V8's CPU profiler; `run` tells how many requests it made. */
export async function profiled(run: () => Promise<number>): Promise<Profile> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
    const requests = await run();
    const { profile } = await session.post('Profiler.stop');
    return sharedOut(profile, requests);
  } finally {
    session.disconnect();
  }
}

/** The time of each sample goes to the function that was running, and so to whoever wrote it. Idle time goes to nobody. */
export function sharedOut({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, requests: number): Profile {
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
  const profile = Object.fromEntries(OWNERS.map((owner) => [owner, 0])) as Record<Owner, number>;
  samples.forEach((id, index) => {
    const owner = owners.get(id);
    if (owner !== undefined) profile[owner] += (timeDeltas[index] ?? 0) / requests;
  });
  return profile;
}

function ownerOf({ functionName, url }: Profiler.Profile['nodes'][number]['callFrame']): Owner | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collector';
  if (url.startsWith('node:')) return 'node';
  if (url.includes('/node_modules/')) return 'framework';
  if (url.includes('/bench/dist/')) return 'bench';
  return url.includes('/dist/') ? 'router' : 'native code';
}
