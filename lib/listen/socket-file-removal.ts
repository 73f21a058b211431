import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, statSync, unlinkSync, type BigIntStats } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ListenError, refusedBySystem } from './listen-error.js';

/** ms between two attempts on a socket that refuses: a server that has bound its file may listen a moment later. */
const SECOND_LOOK_MS = 100;

/**
 * Removes the socket file that a dead server left at `path`, so that the path can be bound. Leaves the socket of a live server, for which
 * binding then fails, and any file that is not a socket.
 *
 * @throws {@link ListenError} if the path can never be bound.
 */
export async function removeStaleSocket(path: string, endpoint: string, signal?: AbortSignal): Promise<void> {
  const found = lookAt(path, endpoint);
  if (found === undefined) return;
  if (!found.isSocket()) throw new ListenError(endpoint, 'EEXIST', 'the path exists and is not a socket');
  if (!(await isRefused(path))) return;
  await pause(SECOND_LOOK_MS, undefined, { signal });
  if (!(await isRefused(path))) return;
  signal?.throwIfAborted();
  try {
    removeIfSame(path, identity(found));
  } catch (error) {
    throw refusedBySystem(endpoint, error as NodeJS.ErrnoException);
  }
}

function lookAt(path: string, endpoint: string): BigIntStats | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    // libuv reports a missing directory as "permission denied".
    if (found === undefined) statSync(dirname(path));
    return found;
  } catch (error) {
    throw refusedBySystem(endpoint, error as NodeJS.ErrnoException);
  }
}

/** Whether no process listens. A full backlog, a missing permission and a socket of another kind count as listening. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
  });
}

/** Moves the file away before checking its identity, because another process may be starting on this path just now. */
function removeIfSame(path: string, wanted: string): void {
  let aside: string;
  try {
    aside = moveAside(path);
  } catch (error) {
    // Another process was faster: binding will show whether it listens.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (fileIdentity(aside) === wanted) unlinkSync(aside);
  else renameSync(aside, path);
}

/** Identifies a file at a path; `undefined` if there is none, or it may not be read. */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found && identity(found);
  } catch {
    return undefined;
  }
}

/** An inode number is reused at once, so the file's time is part of the identity. */
function identity({ dev, ino, mtimeNs }: BigIntStats): string {
  return [dev, ino, mtimeNs].join(':');
}

/**
 * Closes the server of a socket file. libuv then removes whatever is at the path, so this moves another process's file out of the way first.
 *
 * @param own - The identity of the server's own file.
 * @param close - Closes the listening handle before it returns.
 */
export function closeSparingOthers(path: string, own: string | undefined, close: () => void): void {
  const putBack = takeOthersAside(path, own);
  close();
  putBack();
}

function takeOthersAside(path: string, own: string | undefined): () => void {
  const nothing = (): void => undefined;
  try {
    const there = fileIdentity(path);
    if (there === undefined || there === own) return nothing;
    const aside = moveAside(path);
    return () => renameSync(aside, path);
  } catch {
    // A file that may not be renamed may not be removed by libuv either.
    return nothing;
  }
}

function moveAside(path: string): string {
  const aside = `${path}.${randomUUID()}`;
  renameSync(path, aside);
  return aside;
}
