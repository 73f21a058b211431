import { randomUUID } from 'node:crypto';
import { lstatSync, renameSync, statSync, unlinkSync, type BigIntStats } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ListenError, refusedBySystem } from './listen-error.js';

/** Between two looks at a socket that refuses: a server that has bound its file, and listens a moment later, is not dead. */
const SECOND_LOOK_MS = 100;

/**
 * Removes the socket file that a dead server left at `path`, so that the path can be bound. Anything else stays: the
 * socket of a living server (binding then fails, in use) and a file that is not a socket.
 *
 * @throws {@link ListenError} when the path cannot be bound whatever happens.
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

/** Whether nobody listens. A backlog that is full, a missing permission or a socket of another kind is somebody. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED');
    });
  });
}

/** Takes the file away before looking which it is: another process may be starting on this path just now. */
function removeIfSame(path: string, wanted: string): void {
  let aside: string;
  try {
    aside = moveAside(path);
  } catch (error) {
    // Another process was faster: binding shows whether it is there by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (fileIdentity(aside) === wanted) unlinkSync(aside);
  else renameSync(aside, path);
}

/** Tells one file from another at the same path; `undefined` where there is none, or none that may be looked at. */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found && identity(found);
  } catch {
    return undefined;
  }
}

/** An inode number is used again as soon as its file is gone, so the time of the file is part of it. */
function identity({ dev, ino, mtimeNs }: BigIntStats): string {
  return [dev, ino, mtimeNs].join(':');
}

/**
 * Closes the server of a socket file. libuv removes the path as it closes, whatever is there by then: what another process
 * has put there since is kept out of the way meanwhile.
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
    return () => {
      renameSync(aside, path);
    };
  } catch {
    // Where a file may not be renamed, libuv may not remove it either.
    return nothing;
  }
}

function moveAside(path: string): string {
  const aside = `${path}.${randomUUID()}`;
  renameSync(path, aside);
  return aside;
}
