import { setImmediate } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';

/** Node's own: Jest gives tests a copy of it, which hears of no warning. */
const nodeProcess = runInThisContext('process') as NodeJS.Process;

/** Collects what Node warns of while the tests of a block run; the function gives it, and forgets it, once all has been said. */
export function nodeWarnings(): () => Promise<readonly string[]> {
  const warnings: string[] = [];
  const collect = ({ message }: Error): void => {
    warnings.push(message);
  };
  beforeAll(() => nodeProcess.on('warning', collect));
  afterAll(() => nodeProcess.off('warning', collect));
  return async () => {
    await setImmediate();
    return warnings.splice(0);
  };
}
