import { createHealthDirectory, type HealthDirectory, type HealthDirectoryOptions } from '../../../lib/health/index.js';
import { createUpstreamDirectory, type EndpointDirectory } from '../../../lib/upstream/index.js';
import { useClosing } from '../process/closing.js';
import { freePort } from '../process/free-port.js';
import { startCoordinator, type Coordinator } from '../upstream/coordinator.js';

/** Stand-ins and directories of one test file: short intervals, closed after each test. */
export function healthDirectories() {
  const closing = useClosing();
  const serve = async (...first: Parameters<typeof startCoordinator>): Promise<Coordinator> =>
    closing(await startCoordinator(...first));
  const check = async (
    endpoints: HealthDirectoryOptions['endpoints'],
    options: Partial<HealthDirectoryOptions> = {},
  ): Promise<HealthDirectory> =>
    closing(
      await createHealthDirectory({ endpoints, intervalMs: 20, timeoutMs: 5000, connectTimeoutMs: 20_000, ...options }),
    );
  const upstream = async (server: Coordinator, options = {}): Promise<EndpointDirectory> =>
    closing(await createUpstreamDirectory({ servers: [server.url], pollIntervalMs: 10, timeoutMs: 5000, ...options }));
  return { serve, check, upstream, closing };
}

/** An endpoint where nobody listens any more. */
export const goneEndpoint = async (): Promise<string> => `tcp://127.0.0.1:${String(await freePort())}`;
