import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { dialogueOf } from './dialogue.js';
import type { Profile } from './profile.js';
import type { Cost } from './turns.js';
import { nameOf, type Variant } from './variant.js';
import type { Order } from './worker.js';

/** Longer than any order takes; a server that never answers must not hold the bench. */
const PATIENCE_MS = 60_000;

/** The process of one variant: code of others in the same process would spoil its inline caches. */
export class WorkerProcess {
  readonly #child: ChildProcess;

  private constructor(
    readonly variant: Variant,
    execPath: string,
  ) {
    this.#child = fork(fileURLToPath(new URL('worker.js', import.meta.url)), [JSON.stringify(variant)], {
      execPath,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }

  static async start(variant: Variant, execPath: string): Promise<WorkerProcess> {
    const started = new WorkerProcess(variant, execPath);
    await started.#reply();
    return started;
  }

  round(ms: number, atLeast: number): Promise<Cost> {
    return this.#order({ do: 'round', ms, atLeast }) as Promise<Cost>;
  }

  /** Where the time of a request goes. */
  profile(ms: number): Promise<Profile> {
    return this.#order({ do: 'profile', ms }) as Promise<Profile>;
  }

  /** Opens a real socket on the loopback interface, and tells what to ask there. */
  async url(): Promise<string> {
    const port = (await this.#order({ do: 'listen' })) as number;
    return `http://127.0.0.1:${String(port)}${dialogueOf(this.variant).path}`;
  }

  /** Microseconds of processor time that the process has used so far. */
  cpu(): Promise<number> {
    return this.#order({ do: 'cpu' }) as Promise<number>;
  }

  /** How often a slow provider has been called so far. */
  calls(): Promise<number> {
    return this.#order({ do: 'calls' }) as Promise<number>;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #order(order: Order): Promise<unknown> {
    this.#child.send(order);
    return this.#reply();
  }

  async #reply(): Promise<unknown> {
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const [reply] = (await Promise.race([
        once(this.#child, 'message', { signal }),
        once(this.#child, 'exit', { signal }).then(([code]) => {
          throw new Error(`it ended with exit code ${String(code)}`);
        }),
      ])) as unknown[];
      return reply;
    } catch (error) {
      throw new Error(`no result from "${nameOf(this.variant)}"`, { cause: error });
    } finally {
      settled.abort();
    }
  }
}
