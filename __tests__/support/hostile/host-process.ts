import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { builtPackage } from '../package/built-package.js';
import { end } from '../process/child.js';
import type { Figures, Greeting, Question } from './figures.js';

/** What a host is started with. */
export interface HostOptions {
  readonly expressMajor: 4 | 5;
  /** The `timeoutMs` of its routers, in milliseconds. */
  readonly timeoutMs: number;
}

/** A host application in a process of its own, which can crash without taking the attackers along. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly #trouble: string[];

  private constructor(child: ChildProcess, port: number, trouble: string[]) {
    this.#child = child;
    this.port = port;
    this.#trouble = trouble;
  }

  static async start({ expressMajor, timeoutMs }: HostOptions): Promise<HostProcess> {
    // In the copy of the package's folder, so that they get the built package by its name.
    const here = join((await builtPackage()).folder, '__tests__/support/hostile');
    const express4 = ['--import', pathToFileURL(join(here, 'express4.mjs')).href];
    const child = fork(join(here, 'host.mjs'), [String(timeoutMs)], {
      execArgv: ['--expose-gc', ...(expressMajor === 4 ? express4 : [])],
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const trouble: string[] = [];
    child.stderr?.on('data', (data: Buffer) => trouble.push(data.toString()));
    child.once('exit', (code, signal) => trouble.push(`the host process ended: ${String(code ?? signal)}`));
    const greeting = (await answerOf(child, trouble)) as Greeting;
    if (greeting.expressMajor !== expressMajor)
      throw new Error(`the host runs Express ${String(greeting.expressMajor)}`);
    return new HostProcess(child, greeting.port, trouble);
  }

  /** What the process wrote to stderr (warnings, uncaught exceptions) and whether it has ended: nothing, if all is well. */
  get trouble(): readonly string[] {
    return this.#trouble;
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
      await delay(50);
    }
  }

  #ask(question: Question): Promise<unknown> {
    const answer = answerOf(this.#child, this.#trouble);
    this.#child.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    this.#child.removeAllListeners('exit');
    await end(this.#child);
  }
}

/** The next message of a process, or the error that it has ended. */
async function answerOf(child: ChildProcess, trouble: readonly string[]): Promise<unknown> {
  const ended = new AbortController();
  const end = (): void => {
    ended.abort(new Error(trouble.join('')));
  };
  child.once('exit', end);
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [unknown];
    return message;
  } finally {
    child.off('exit', end);
  }
}
