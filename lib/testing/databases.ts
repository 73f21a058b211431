import { SYSTEM_DATABASE } from '../index.js';

const SYSTEM_ID = 1;

/** The databases of one cluster: names, and nothing in them. */
export class Databases {
  readonly #ids = new Map<string, number>();
  readonly #first: string | undefined;
  #lastId = SYSTEM_ID;

  /** @param database - The one that there is from the start, beside `_system`. */
  constructor(database: string | undefined) {
    this.#first = database;
    this.reset();
  }

  has(name: string): boolean {
    return this.#ids.has(name);
  }

  /** In the order of their code units, as the reference server has them. */
  names(): readonly string[] {
    return [...this.#ids.keys()].sort();
  }

  idOf(name: string): string {
    return String(this.#ids.get(name));
  }

  add(name: string): void {
    this.#lastId += 1;
    this.#ids.set(name, this.#lastId);
  }

  remove(name: string): void {
    this.#ids.delete(name);
  }

  /** Only those of the start. */
  reset(): void {
    this.#ids.clear();
    this.#ids.set(SYSTEM_DATABASE, SYSTEM_ID);
    if (this.#first !== undefined && this.#first !== SYSTEM_DATABASE) this.add(this.#first);
  }
}

/** Why the reference server 3.12, which takes nearly every text, does not take one for the name of a new database. */
export function problemOfName(name: string): string | undefined {
  if (name.normalize('NFC') !== name) return 'database name is not properly UTF-8 NFC-normalized';
  const isTaken = Buffer.byteLength(name) <= 128 && /^[^\d_. /:\p{Cc}](?:[^/:\p{Cc}]*[^ /:\p{Cc}])?$/u.test(name);
  return isTaken ? undefined : 'database name invalid';
}

/** The name of a database as it stands in a path, decoded; `undefined` when it cannot be. */
export function decodedName(text: string | undefined): string | undefined {
  try {
    return decodeURIComponent(String(text));
  } catch {
    return undefined;
  }
}
