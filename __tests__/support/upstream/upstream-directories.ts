import {
  createUpstreamDirectory,
  type EndpointDirectory,
  type UpstreamDirectoryOptions,
} from '../../../lib/upstream/index.js';
import { startCoordinator, type Coordinator, type Reply } from './coordinator.js';
import { useClosing } from '../process/closing.js';
import { until } from '../until.js';

/** Stand-ins and directories of one test file: short intervals, closed after each test. */
export function upstreamDirectories() {
  const closing = useClosing();
  const serve = async (...first: Parameters<typeof startCoordinator>): Promise<Coordinator> =>
    closing(await startCoordinator(...first));
  const list = async (
    servers: readonly (Coordinator | string)[],
    options: Partial<UpstreamDirectoryOptions> = {},
  ): Promise<EndpointDirectory> =>
    closing(
      await createUpstreamDirectory({
        servers: servers.map((server) => (typeof server === 'string' ? server : server.url)),
        pollIntervalMs: 20,
        timeoutMs: 10_000,
        ...options,
      }),
    );
  return { serve, list, closing };
}

/** Waits until a server has answered this many polls more after the one under way. */
export async function polled(server: Coordinator, times: number): Promise<void> {
  const enough = server.requests.length + times + 1;
  await until(`${String(enough)} requests`, () => server.requests.length >= enough);
}

/** What an attempt to open a directory ends in. */
export async function refusalOf(attempt: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  const outcome: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('the directory was opened');
}

export type { Reply };
