import { checkEndpoints } from '../../lib/client/index.js';
import * as deadline from '../../lib/request/deadline.js';

/** For one test file: each step may take 60 times as long as it promises. A busy machine needs more than a second for a check. */
export function withPatience(): void {
  const { within } = deadline;
  beforeEach(() => {
    jest.spyOn(deadline, 'within').mockImplementation((ms, ...more) => within(60 * ms, ...more));
  });
}

/** `checkEndpoints`, which gives each server more time than a busy machine needs, unless a test says how much. */
export const checkPatiently: typeof checkEndpoints = (url, options) =>
  checkEndpoints(url, { timeoutMs: 60_000, ...options });
