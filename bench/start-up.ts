import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './statistics.js';

/** Prints how many milliseconds the second import takes in a process that has the first. */
const MEASURE = {
  'import()': `
    await import('express');
    const before = performance.now();
    await import('express-endpoint-listing');
    console.log(performance.now() - before);`,
  'require()': `
    require('express');
    const before = performance.now();
    require('express-endpoint-listing');
    console.log(performance.now() - before);`,
} as const;

/** Milliseconds for loading the package where Express is loaded already: the median of some fresh processes, for each way. */
export async function measureStartUp(processes: number): Promise<Record<keyof typeof MEASURE, number>> {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const measure = async (way: keyof typeof MEASURE): Promise<number> => {
    const times: number[] = [];
    const inputType = way === 'import()' ? 'module' : 'commonjs';
    for (let count = 0; count < processes; count += 1) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [`--input-type=${inputType}`, '--eval', MEASURE[way]],
        { cwd },
      );
      times.push(Number(stdout));
    }
    return median(times);
  };
  return { 'import()': await measure('import()'), 'require()': await measure('require()') };
}
