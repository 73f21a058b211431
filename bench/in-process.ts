import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { faultOf, requestText, type Dialogue } from './dialogue.js';
import { MemorySocket } from './memory-socket.js';
import { quantile } from './statistics.js';
import type { Cost } from './turns.js';

const CONNECTIONS = 64;
/** Enough for a window to be longer than the clock is coarse, few enough for many windows in a round. */
const requestsInWindow = (bodyLength: number): number =>
  bodyLength < 10_000 ? CONNECTIONS : bodyLength < 100_000 ? 16 : 4;

/** The gate's instrument: raw HTTP through memory, one request in flight on each connection. */
export class InProcess {
  readonly #sockets: readonly MemorySocket[];
  readonly #request: Buffer;
  #turn = 0;

  private constructor(
    server: Server,
    readonly dialogue: Dialogue,
    readonly answerLength: number,
  ) {
    this.#sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket(server));
    this.#request = Buffer.from(requestText(dialogue));
  }

  /** Asks once to learn how long an answer is. */
  static async open(server: Server, dialogue: Dialogue): Promise<InProcess> {
    const socket = new MemorySocket(server);
    socket.ask(Buffer.from(requestText(dialogue)));
    for (let patience = 1000; patience > 0 && faultOf(socket.answer(), dialogue) !== undefined; patience -= 1) {
      await setImmediate();
    }
    assertRight(socket.answer(), dialogue);
    return new InProcess(server, dialogue, socket.answer().length);
  }

  /** Runs windows for `ms` milliseconds, and at least `atLeast` of them: the lower quartile, which no pause of the process reaches. */
  async round(ms: number, atLeast: number): Promise<Cost> {
    const requests = requestsInWindow(this.dialogue.body.length);
    const times: number[] = [];
    const cpus: number[] = [];
    const end = performance.now() + ms;
    while (times.length < atLeast || performance.now() < end) {
      const cpuBefore = process.cpuUsage();
      const before = performance.now();
      const asked = await this.#window(requests);
      times.push(((performance.now() - before) * 1000) / requests);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpus.push((user + system) / requests);
      assertRight(asked.answer(), this.dialogue);
    }
    return { time: quantile(times, 0.25), cpu: quantile(cpus, 0.25) };
  }

  /** One request on each of the next connections; returns one of them, for its answer to be looked at. */
  #window(requests: number): Promise<MemorySocket> {
    const sockets = this.#sockets.slice(this.#turn, this.#turn + requests);
    this.#turn = (this.#turn + requests) % CONNECTIONS;
    return new Promise((resolve) => {
      let missing = requests;
      for (const socket of sockets) {
        socket.ask(this.#request, this.answerLength, () => {
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
