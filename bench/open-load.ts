import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialogueOf, faultOf, requestText } from './dialogue.js';
import type { Load } from './sockets.js';
import { quantile } from './statistics.js';
import { nameOf, type Variant } from './variant.js';

/** How a server is asked: at even distances, on whichever of the connections is free. */
export interface Pace {
  readonly connections: number;
  /** Requests that are due in a second, whether those before are answered or not. */
  readonly rate: number;
  readonly seconds: number;
}

/** A server that never answers must not hold the bench. */
const PATIENCE_MS = 60_000;

/**
 * Asks a server on the loopback interface at moments that do not depend on its answers. How long an answer takes counts from the
 * moment at which its request was due: one that found no connection free has waited for its turn as well. A wrong answer throws.
 *
 * Not by autocannon: of what is due in a second, it asks each when the one before is answered, and all at the second's beginning.
 */
export async function openLoad(url: string, variant: Variant, { connections, rate, seconds }: Pace): Promise<Load> {
  const dialogue = dialogueOf(variant);
  const request = Buffer.from(requestText(dialogue));
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(url)));
  const free = [...clients];
  const requests = rate * seconds;
  const start = performance.now();
  const dueAt = (index: number): number => start + (index * 1000) / rate;
  const durations: number[] = [];
  let sent = 0;
  let fault: string | undefined;

  function sendWhatIsDue(): void {
    while (sent < requests && dueAt(sent) <= performance.now()) {
      const client = free.pop();
      if (client === undefined) return;
      ask(client, dueAt(sent));
      sent += 1;
    }
  }
  function ask(client: Client, due: number): void {
    client.ask(request, (answer) => {
      durations.push(performance.now() - due);
      fault ??= faultOf(answer, dialogue);
      free.push(client);
      sendWhatIsDue();
    });
  }

  try {
    while (durations.length < requests) {
      sendWhatIsDue();
      await sleep(1);
      if (clients.some(({ isOpen }) => !isOpen)) fault ??= 'it closed a connection';
      if (performance.now() > dueAt(requests) + PATIENCE_MS) fault ??= 'it does not answer';
      if (fault !== undefined) throw new Error(`wrong answers on sockets from "${nameOf(variant)}": ${fault}`);
    }
    const requestsPerSecond = (requests * 1000) / (performance.now() - start);
    return { requestsPerSecond, requests, p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) };
  } finally {
    for (const client of clients) client.close();
  }
}

/** One keep-alive connection. */
class Client {
  readonly #socket: Socket;
  #answer = '';
  #whenAnswered: ((answer: string) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay().setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.#take(chunk);
    });
    socket.on('error', () => {
      // Whoever waits for the answer sees that it is not open.
    });
  }

  static async open(url: string): Promise<Client> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Client(socket);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 'open';
  }

  ask(request: Buffer, whenAnswered: (answer: string) => void): void {
    this.#answer = '';
    this.#whenAnswered = whenAnswered;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#answer += chunk;
    const end = this.#answer.indexOf('\r\n\r\n') + 4;
    if (end < 4) return;
    const [, bodyLength = '0'] = /\r\ncontent-length: (\d+)/i.exec(this.#answer) ?? [];
    if (this.#answer.length >= end + Number(bodyLength)) this.#whenAnswered?.(this.#answer);
  }
}
