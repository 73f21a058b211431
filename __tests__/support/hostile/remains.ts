import { isDeepStrictEqual } from 'node:util';
import type { Figures } from './figures.js';
import type { HostProcess } from './host-process.js';

/** What an attack must have left behind in a host: nothing. Waits until sockets and timers have had time to go. */
export async function remainsOf(host: HostProcess, before: Figures): Promise<string[]> {
  const isBack = ({ resources, running }: Figures): boolean =>
    running === 0 && isDeepStrictEqual(resources, before.resources);
  const after = await host.figuresWhen(isBack);
  const remains: string[] = [];
  if (!isBack(after)) remains.push(`calls ${String(after.running)}, resources ${JSON.stringify(after.resources)}`);
  if (after.listenersLeft !== 0) remains.push(`${String(after.listenersLeft)} listeners`);
  if (after.askedForeign !== 0) remains.push(`${String(after.askedForeign)} calls for a database other than _system`);
  return [...remains.map((what) => `left behind: ${what}`), ...host.trouble];
}

/** Whether the heap has stayed within 10 % of what it was; a fault, if not. */
export function growthOf(earlier: number, later: number): string[] {
  if (later <= earlier * 1.1) return [];
  return [`the heap grew from ${String(earlier)} to ${String(later)} bytes`];
}
