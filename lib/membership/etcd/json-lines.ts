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
   * @throws RangeError for a line that is too long, SyntaxError for one that is not JSON.
   */
  push(bytes: Buffer): unknown[] {
    const [first = '', ...others] = this.#decoder.write(bytes).split('\n');
    this.#keep(first);
    const complete: string[] = [];
    for (const next of others) {
      complete.push(this.#rest.join(''));
      this.#rest = [];
      this.#characters = 0;
      this.#keep(next);
    }
    return complete.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line));
  }

  #keep(piece: string): void {
    this.#characters += piece.length;
    if (this.#characters > this.#maxCharacters) {
      throw new RangeError(`a line of more than ${String(this.#maxCharacters)} characters`);
    }
    this.#rest.push(piece);
  }
}
