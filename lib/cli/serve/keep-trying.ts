import { setTimeout as sleep } from 'node:timers/promises';
import type { Opening } from './coordinators.js';
import { isUntrusted } from '../remedies.js';

const RETRY_MS = 1000;

/**
 * Repeats an attempt until it succeeds, for `cluster.wait` seconds. Logs each new reason for a failure.
 *
 * @param what - What failed, for the log: `etcd unreachable`.
 * @param isFinal - Whether another attempt would get the same answer. It would after a `TypeError`.
 * @throws The error of the last attempt.
 */
export async function keepTrying<Result>(
  what: string,
  attempt: () => Promise<Result>,
  { options: { waitSeconds = 0 }, log, stop }: Pick<Opening, 'options' | 'log' | 'stop'>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1000;
  let logged: string | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = end - performance.now();
      const message = reasonOf(error as Error);
      if (stop.aborted || error instanceof TypeError || isFinal(error)) throw error;
      if (left <= 0) {
        const hint =
          waitSeconds > 0 || isUntrusted(message) ? '' : '; with --cluster.wait SECONDS, this server keeps trying';
        throw Object.assign(error as Error, { message: `${what}: ${message}${hint}` });
      }
      if (message !== logged) {
        log('warn', 'waiting', `${what}, retrying for ${String(Math.ceil(left / 1000))} s: ${message}`);
      }
      logged = message;
      await sleep(Math.min(RETRY_MS, left), undefined, { signal: stop });
    }
  }
}

/** Without the library's own words for what the log says before it. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? message.slice(Math.max(0, message.indexOf(cause.message))) : message;
}
