import { fstatSync, readFileSync } from 'node:fs';

/** How many sockets this process has open. The resolver's are not in `process.getActiveResourcesInfo()`. */
export const openSockets = (): number => socketInodes().length;

function socketInodes(): number[] {
  return Array.from({ length: 1024 }, (_, fd) => fd).flatMap((fd) => {
    try {
      const stat = fstatSync(fd);
      return stat.isSocket() ? [stat.ino] : [];
    } catch {
      return [];
    }
  });
}

/** How many TCP connections over IPv4 this process has to one of these servers, those that are being made included. Needs Linux. */
export function connectionsTo(urls: readonly string[]): number {
  const inodes = new Set(socketInodes());
  const ports = urls.map((url) => Number(new URL(url).port));
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote = '', , , , , , , inode]) => {
      const port = Number.parseInt(remote.split(':')[1] ?? '', 16);
      return ports.includes(port) && inodes.has(Number(inode));
    }).length;
}
