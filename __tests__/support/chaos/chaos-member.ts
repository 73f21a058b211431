import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end, hasEnded } from '../process/child.js';
import { pause, until } from '../until.js';

/** What has been done to a member, and so what may be expected of the listing. */
type Fate = 'starting' | 'alive' | 'disturbed' | 'dead';

/** How a member stands. */
export interface Standing {
  readonly fate: Fate;
  /** `performance.now()` at which it came to stand so. */
  readonly since: number;
}

/** In the copy of the package that was built. */
const SCRIPT = '__tests__/support/chaos/chaos-member-process.mjs';

/** A member in a process of its own, to which all may happen that happens to a Coordinator. */
export class ChaosMember {
  readonly endpoint: string;
  readonly #child: ChildProcess;
  #standing: Standing = { fate: 'starting', since: performance.now() };
  /** How often it has found itself unlisted. */
  lost = 0;

  constructor(packageFolder: string, endpoint: string, ttlSeconds: number, hosts: readonly string[]) {
    this.endpoint = endpoint;
    this.#child = fork(join(packageFolder, SCRIPT), [endpoint, String(ttlSeconds), ...hosts], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.once('message', () => {
      if (this.#standing.fate === 'starting') this.#stand('alive');
    });
    this.#child.on('message', (state) => {
      if (state === 'lost') this.lost += 1;
    });
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** It has ended although nobody has ended it. */
  get crashed(): boolean {
    return this.#standing.fate !== 'dead' && hasEnded(this.#child);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#stand('disturbed');
    this.#child.kill(signal);
    await until(`${this.endpoint} ends at ${signal}`, () => hasEnded(this.#child));
    this.#stand('dead');
  }

  /** Stops it for a time; it counts as alive again once it says so, some time after it goes on. */
  async freeze(ms: number): Promise<void> {
    this.#stand('disturbed');
    this.#child.kill('SIGSTOP');
    await pause(ms);
    this.#child.kill('SIGCONT');
    do await pause(2000);
    while ((await this.#state()) !== 'registered');
    this.#stand('alive');
  }

  async end(): Promise<void> {
    this.#child.kill('SIGCONT');
    await end(this.#child);
  }

  async #state(): Promise<unknown> {
    const answer = once(this.#child, 'message', { signal: AbortSignal.timeout(30_000) });
    this.#child.send('how do you stand?');
    const [state] = (await answer) as unknown[];
    return state;
  }

  #stand(fate: Fate): void {
    this.#standing = { fate, since: performance.now() };
  }
}
