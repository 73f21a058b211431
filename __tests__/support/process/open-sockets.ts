import { fstatSync } from 'node:fs';

/** How many sockets this process has open. The resolver's are not in `process.getActiveResourcesInfo()`. */
export function openSockets(): number {
  return Array.from({ length: 1024 }, (_, fd) => fd).filter(isSocket).length;
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}
