import { SYSTEM_DATABASE } from '../index.js';

/** The databases of one cluster: names, and nothing in them. */
export interface Databases {
  has(name: string): boolean;
  /** In the order of their code units, as the reference server has them. */
  names(): readonly string[];
  idOf(name: string): string;
  add(name: string): void;
  remove(name: string): void;
  /** Only those of the start. */
  reset(): void;
}

const SYSTEM_ID = 1;

/** @param database - The database that there is from the start, beside `_system`. */
export function createDatabases(database: string | undefined): Databases {
  const ids = new Map<string, number>();
  let lastId = SYSTEM_ID;

  const databases: Databases = {
    has: (name) => ids.has(name),
    names: () => [...ids.keys()].sort(),
    idOf: (name) => String(ids.get(name)),
    add(name) {
      lastId += 1;
      ids.set(name, lastId);
    },
    remove(name) {
      ids.delete(name);
    },
    reset() {
      ids.clear();
      ids.set(SYSTEM_DATABASE, SYSTEM_ID);
      if (database !== undefined && database !== SYSTEM_DATABASE) databases.add(database);
    },
  };
  databases.reset();
  return databases;
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
