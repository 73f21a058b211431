import * as deadline from '../../lib/request/deadline.js';

/** For one test file: each step may take 60 times as long as it promises. A busy machine needs more than a second for a check. */
export function withPatience(): void {
  const { within } = deadline;
  beforeEach(() => {
    jest.spyOn(deadline, 'within').mockImplementation((ms, ...more) => within(60 * ms, ...more));
  });
}
