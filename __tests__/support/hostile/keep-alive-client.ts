import type { Socket } from 'node:net';
import { openConnection } from './connection.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A client that asks one question after the other on one connection, and notices every byte that answers none. */
export class KeepAliveClient {
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve: (answer: Answer) => void; reject: (reason: Error) => void } | undefined;
  #surplus = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#takeAnswer();
    });
    socket.once('close', () => this.#waiting?.reject(new Error('the connection was closed without an answer')));
  }

  static async open(port: number): Promise<KeepAliveClient> {
    return new KeepAliveClient(await openConnection(port));
  }

  static openAll(port: number, count: number): Promise<KeepAliveClient[]> {
    return Promise.all(Array.from({ length: count }, () => KeepAliveClient.open(port)));
  }

  /** What came without having been asked for: nothing, if all is well. */
  get surplus(): string {
    return this.#surplus + this.#received;
  }

  ask(target: string): Promise<Answer> {
    this.#surplus += this.#received;
    this.#received = '';
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    this.#socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }

  #takeAnswer(): void {
    const match = /^HTTP\/1\.1 (\d{3}) [^]*?\r\nContent-Length: (\d+)\r\n[^]*?\r\n\r\n/.exec(this.#received);
    if (match === null || this.#waiting === undefined) return;
    const [{ length }, status, contentLength] = match;
    const end = length + Number(contentLength);
    if (this.#received.length < end) return;
    const body = this.#received.slice(length, end);
    this.#received = this.#received.slice(end);
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ status: Number(status), body });
  }
}
