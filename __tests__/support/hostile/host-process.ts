import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { builtPackage } from '../package/built-package.js';
import { end } from '../process/child.js';
import { pause } from '../until.js';

/** What a host process tells about itself. */
export interface Figures {
  /** What keeps the process alive, counted by kind: sockets, timers. */
  readonly resources: Readonly<Record<string, number>>;
  /** Calls of the providers so far for a database other than `_system`. */
  readonly askedForeign: number;
  /** Calls that the host still works on. */
  readonly running: number;
  /** Signals that have aborted so far, by the name of their reason. */
  readonly aborted: Readonly<Record<string, number>>;
  /** The ports in the plans of those calls, since the figures were last asked for, that really took as long as the timeout. */
  readonly overdue: readonly number[];
  /** `close` listeners found on responses after their end. */
  readonly listenersLeft: number;
}

/** What the provider of the host is to do for one request, written into its query string; host-provider.mjs reads it. */
export interface Plan {
  /** `hang`: never settles. `late`: the delay begins when the signal aborts. `big`: a list of 10,000 endpoints. */
  readonly outcome: 'ok' | 'fail' | 'hang' | 'late' | 'big';
  readonly delayMs: number;
  /** The port of the one endpoint in the list, so that answers can be told apart. */
  readonly port: number;
}

export function planInQuery({ outcome, delayMs, port }: Plan): string {
  return `?plan=${outcome}.${String(delayMs)}.${String(port)}`;
}

/** A host application in a process of its own, which can crash without taking the attackers along. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #trouble: string[] = [];
  #port = 0;
  /** What the figures must come back to. */
  #before: Figures['resources'] = {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.on('data', (data: Buffer) => this.#trouble.push(data.toString()));
    child.once('exit', (code, signal) => this.#trouble.push(`the host process ended: ${String(code ?? signal)}`));
  }

  get port(): number {
    return this.#port;
  }

  /** Starts a host on one major of Express; `timeoutMs` is that of its routers. */
  static async start(expressMajor: 4 | 5, timeoutMs: number): Promise<HostProcess> {
    // In the copy of the package's folder, so that they get the built package by its name.
    const here = join((await builtPackage()).folder, '__tests__/support/hostile');
    const express4 = ['--import', pathToFileURL(join(here, 'express4.mjs')).href];
    const child = fork(join(here, 'host.mjs'), [String(timeoutMs)], {
      execArgv: ['--expose-gc', ...(expressMajor === 4 ? express4 : [])],
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const host = new HostProcess(child);
    const greeting = (await host.#answer()) as { readonly port: number; readonly expressMajor: number };
    if (greeting.expressMajor !== expressMajor)
      throw new Error(`the host runs Express ${String(greeting.expressMajor)}`);
    host.#port = greeting.port;
    host.#before = (await host.figures()).resources;
    return host;
  }

  async figures(): Promise<Figures> {
    return (await this.#ask('figures')) as Figures;
  }

  /** Bytes in use on the heap once all garbage has been collected. */
  async heap(): Promise<number> {
    return (await this.#ask('heap')) as number;
  }

  /** The figures as soon as they are as wanted; after a minute, as they are then. */
  async figuresWhen(isAsWanted: (figures: Figures) => boolean): Promise<Figures> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const figures = await this.figures();
      if (isAsWanted(figures) || performance.now() > deadline) return figures;
      await pause(50);
    }
  }

  /**
   * What an attack has left behind, and what the process wrote to stderr: nothing, if all is well. Waits until sockets and timers have
   * had time to go.
   */
  async remains(): Promise<string[]> {
    const isBack = ({ resources, running }: Figures): boolean =>
      running === 0 && isDeepStrictEqual(resources, this.#before);
    const after = await this.figuresWhen(isBack);
    const remains: string[] = [];
    if (!isBack(after)) remains.push(`calls ${String(after.running)}, resources ${JSON.stringify(after.resources)}`);
    if (after.listenersLeft !== 0) remains.push(`${String(after.listenersLeft)} listeners`);
    if (after.askedForeign !== 0) remains.push(`${String(after.askedForeign)} calls for a database other than _system`);
    return [...remains.map((what) => `left behind: ${what}`), ...this.#trouble];
  }

  async stop(): Promise<void> {
    this.#child.removeAllListeners('exit');
    await end(this.#child);
  }

  #ask(question: 'figures' | 'heap'): Promise<unknown> {
    const answer = this.#answer();
    this.#child.send(question);
    return answer;
  }

  /** The next message of the process, or the error that it has ended. */
  async #answer(): Promise<unknown> {
    const ended = new AbortController();
    const end = (): void => ended.abort(new Error(this.#trouble.join('')));
    this.#child.once('exit', end);
    try {
      const [message] = (await once(this.#child, 'message', { signal: ended.signal })) as [unknown];
      return message;
    } finally {
      this.#child.off('exit', end);
    }
  }
}
