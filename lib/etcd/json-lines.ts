import { StringDecoder } from 'node:string_decoder';

/**
 * Takes JSON texts, one a line, out of a stream of bytes that may be cut anywhere. Node's `readline` would do, but grows
 * without limit on a line that does not end.
 */
export class JsonLines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxCharacters: number;
  #rest: string[] = [];
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /**
   * The values that are complete with these bytes. What has no line end yet is kept, never guessed at.
   *
   * @throws Error for a line that is too long, or not JSON. It does not show the line.
   */
  *push(bytes: Buffer): Generator<unknown, void> {
    const pieces = this.#decoder.write(bytes).split('\n');
    for (const [index, piece] of pieces.entries()) {
      this.#keep(piece);
      if (index === pieces.length - 1) return;
      const line = this.#rest.join('');
      this.#rest = [];
      this.#characters = 0;
      if (line.trim() !== '') yield parsed(line);
    }
  }

  #keep(piece: string): void {
    this.#characters += piece.length;
    if (this.#characters > this.#maxCharacters) {
      throw new Error(`a line of more than ${String(this.#maxCharacters)} characters`);
    }
    this.#rest.push(piece);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('a line that is not JSON');
  }
}
