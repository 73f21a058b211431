import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { dialogueOf, faultOf, requestText, type Dialogue } from './dialogue.js';
import { MemorySocket } from './memory-socket.js';
import type { Variant } from './variant.js';

const CONNECTIONS = 64;

/** Raw HTTP through memory, one request in flight on each connection. */
export class InProcess {
  readonly #dialogue: Dialogue;
  readonly #request: Buffer;
  readonly #sockets: readonly MemorySocket[];
  #answerLength = 0;

  private constructor(server: Server, variant: Variant) {
    this.#dialogue = dialogueOf(variant);
    this.#request = Buffer.from(requestText(this.#dialogue));
    this.#sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket(server));
  }

  /** Asks once, to learn how long an answer is. */
  static async open(server: Server, variant: Variant): Promise<InProcess> {
    const instrument = new InProcess(server, variant);
    const [socket] = instrument.#sockets as [MemorySocket];
    socket.ask(instrument.#request);
    // A provider may be asynchronous, and a busy machine takes any time.
    const end = performance.now() + 60_000;
    while (faultOf(socket.answer(), instrument.#dialogue) !== undefined && performance.now() < end)
      await setImmediate();
    instrument.#assertRight(socket);
    instrument.#answerLength = socket.answer().length;
    return instrument;
  }

  /** Asks that many times, or up to a window more. Looks at one answer in full; the others have its length, or nothing would end. */
  async answer(requests: number): Promise<void> {
    for (let done = 0; done < requests; done += CONNECTIONS) await this.#window();
    if (requests > 0) this.#assertRight(this.#sockets[0]);
  }

  /** One request on each connection. */
  #window(): Promise<void> {
    return new Promise((resolve) => {
      let missing = CONNECTIONS;
      for (const socket of this.#sockets) {
        socket.ask(this.#request, this.#answerLength, () => {
          missing -= 1;
          if (missing === 0) resolve();
        });
      }
    });
  }

  #assertRight(socket: MemorySocket | undefined): void {
    const fault = faultOf(socket?.answer() ?? '', this.#dialogue);
    if (fault !== undefined) throw new Error(`a wrong answer to ${this.#dialogue.path}: ${fault}`);
  }
}
