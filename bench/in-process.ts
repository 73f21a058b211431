import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { dialogueOf, faultOf, requestText, type Dialogue } from './dialogue.js';
import { MemorySocket } from './memory-socket.js';
import { quantile } from './statistics.js';
import type { Cost } from './turns.js';
import type { Variant } from './variant.js';

const CONNECTIONS = 64;
/** Handlers that serialise anew each time take milliseconds for a long list; a few of those make a window too. */
const requestsInWindow = ({ handler, size }: Variant): number =>
  size >= 1000 && (handler === 'naive' || handler === 'schema') ? 4 : CONNECTIONS;

/** The gate's instrument: raw HTTP through memory, one request in flight on each connection. */
export class InProcess {
  readonly #dialogue: Dialogue;
  readonly #request: Buffer;
  readonly #sockets: readonly MemorySocket[];
  readonly #requestsInWindow: number;
  #answerLength = 0;
  #turn = 0;

  private constructor(server: Server, variant: Variant) {
    this.#dialogue = dialogueOf(variant);
    this.#request = Buffer.from(requestText(this.#dialogue));
    this.#sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket(server));
    this.#requestsInWindow = requestsInWindow(variant);
  }

  /** Asks once, to learn how long an answer is. */
  static async open(server: Server, variant: Variant): Promise<InProcess> {
    const instrument = new InProcess(server, variant);
    const [socket] = instrument.#sockets as [MemorySocket];
    socket.ask(instrument.#request);
    // Some providers take 10 ms, and a busy machine any time.
    const end = performance.now() + 60_000;
    while (faultOf(socket.answer(), instrument.#dialogue) !== undefined && performance.now() < end)
      await setImmediate();
    assertRight(socket.answer(), instrument.#dialogue);
    instrument.#answerLength = socket.answer().length;
    return instrument;
  }

  /**
   * Runs windows for `ms` milliseconds, and at least `atLeast` of them: the lower quartile, which no pause of the process reaches.
   * The first window is not counted: the processor's caches are another process's, and its answer is looked at in full. The
   * answers of the others have the same length, or the window would never end.
   */
  async round(ms: number, atLeast: number): Promise<Cost> {
    assertRight((await this.#window()).answer(), this.#dialogue);
    const times: number[] = [];
    const cpus: number[] = [];
    const end = performance.now() + ms;
    while (times.length < atLeast || performance.now() < end) {
      const cpuBefore = process.cpuUsage();
      const before = performance.now();
      await this.#window();
      const time = performance.now() - before;
      const { user, system } = process.cpuUsage(cpuBefore);
      times.push((time * 1000) / this.#requestsInWindow);
      cpus.push((user + system) / this.#requestsInWindow);
    }
    return { time: quantile(times, 0.25), cpu: quantile(cpus, 0.25) };
  }

  /** Asks for `ms` milliseconds; the number of requests. */
  async run(ms: number): Promise<number> {
    let requests = 0;
    for (const end = performance.now() + ms; performance.now() < end; requests += this.#requestsInWindow) {
      await this.#window();
    }
    return requests;
  }

  /** Asks that many times, or up to a window more. */
  async answer(requests: number): Promise<void> {
    for (let done = 0; done < requests; done += this.#requestsInWindow) await this.#window();
  }

  /** One request on each of the next connections; returns one of them, for its answer to be looked at. */
  #window(): Promise<MemorySocket> {
    const end = this.#turn + this.#requestsInWindow;
    const sockets = this.#sockets.slice(this.#turn, end);
    this.#turn = end % CONNECTIONS;
    return new Promise((resolve) => {
      let missing = sockets.length;
      for (const socket of sockets) {
        socket.ask(this.#request, this.#answerLength, () => {
          missing -= 1;
          if (missing === 0) resolve(socket);
        });
      }
    });
  }
}

function assertRight(answer: string, dialogue: Dialogue): void {
  const fault = faultOf(answer, dialogue);
  if (fault !== undefined) throw new Error(`a wrong answer to ${dialogue.method} ${dialogue.path}: ${fault}`);
}
