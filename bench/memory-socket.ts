import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

type WriteDone = (error?: Error | null) => void;

/** One keep-alive connection to a server in this process: raw bytes in, raw bytes out, no kernel in between. */
export class MemorySocket extends Duplex {
  #answer: (Buffer | string)[] = [];
  #missing = 0;
  #whenAnswered: (() => void) | undefined;

  constructor(server: Server) {
    // The head of an answer comes as text; encoding it would be the kernel's neighbour's work, and the same for everybody.
    super({ decodeStrings: false });
    server.emit('connection', this);
  }

  /** Sends one request; calls back when `length` bytes have come. */
  ask(request: Buffer, length = 0, whenAnswered?: () => void): void {
    this.#answer = [];
    this.#missing = length;
    this.#whenAnswered = whenAnswered;
    this.push(request);
  }

  /** What has come since the last question. */
  answer(): string {
    return this.#answer.map(String).join('');
  }

  override _read(): void {
    // Requests are pushed, not pulled.
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: WriteDone): void {
    this.#take(chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer | string }[], done: WriteDone): void {
    for (const { chunk } of chunks) this.#take(chunk);
    done();
  }

  /** All answers here are ASCII: a character is a byte. */
  #take(chunk: Buffer | string): void {
    this.#answer.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing === 0) this.#whenAnswered?.();
  }
}
