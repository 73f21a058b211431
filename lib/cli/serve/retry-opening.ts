import { setTimeout as sleep } from 'node:timers/promises';
import type { Opening } from './coordinators.js';
import { isUntrusted } from '../remedies.js';

const RETRY_MS = 1000;

interface OnFailure {
  /** Whether another attempt would get the same answer. It would after a `TypeError`. */
  readonly isFinal?: (error: unknown) => boolean;
  /** How to fix it, for the end of its message. */
  readonly remedyFor?: (failure: Error) => string;
}

/**
 * Repeats an attempt until it succeeds, for `cluster.wait` seconds. Logs each new reason for a failure.
 *
 * @param what - What failed, for the log: `etcd unreachable`.
 * @throws The error of the last attempt, with its remedy.
 */
export async function retryOpening<Result>(
  what: string,
  attempt: () => Promise<Result>,
  { options: { waitSeconds = 0 }, log, stop }: Pick<Opening, 'options' | 'log' | 'stop'>,
  { isFinal = () => false, remedyFor = () => '' }: OnFailure = {},
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1000;
  let logged: string | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = end - performance.now();
      const failure = error as Error;
      failure.message += remedyFor(failure);
      const message = reasonOf(failure);
      if (stop.aborted || error instanceof TypeError || isFinal(error)) throw error;
      if (left <= 0) {
        const hint =
          waitSeconds > 0 || isUntrusted(message) ? '' : '; with --cluster.wait SECONDS, this server keeps trying';
        throw Object.assign(failure, { message: `${what}: ${message}${hint}` });
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
