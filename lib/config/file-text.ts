import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 4 * 1024 * 1024;

/** A file that was read. */
export interface FileText {
  /** The same for every path that leads to the file. */
  readonly identity: string;
  readonly bytes: number;
  readonly lines: readonly string[];
}

/**
 * Reads a text file: UTF-8 with or without a byte order mark, lines that end in LF or CRLF.
 *
 * @param alreadyRead - The bytes of the files before it: all together have at most 4 MiB.
 * @throws An `Error` when the file can't be read, is none (a pipe might never end), or is too large.
 */
export function readFileText(path: string, alreadyRead: number): FileText {
  // Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor, { bigint: true });
    if (!status.isFile()) throw new Error('it is not a file');
    const size = Number(status.size);
    if (alreadyRead + size > MAX_BYTES) throw new Error(`the configuration has more than ${String(MAX_BYTES)} bytes`);
    const buffer = Buffer.alloc(size);
    const bytes = readSync(descriptor, buffer);
    const text = new TextDecoder().decode(buffer.subarray(0, bytes));
    return { identity: `${String(status.dev)}:${String(status.ino)}`, bytes, lines: text.split(/\r?\n/) };
  } finally {
    closeSync(descriptor);
  }
}
