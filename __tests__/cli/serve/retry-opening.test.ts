import type { RequestHandler } from 'express';
import supertest from 'supertest';
import { createHostApplication, createListHandler } from '../../../lib/cli/serve/host-application.js';
import { retryOpening } from '../../../lib/cli/serve/retry-opening.js';
import { turnedClock } from '../../support/turned-clock.js';
import type { ServerOptions } from '../../../lib/config/index.js';

/** A log that keeps its messages. */
const keeping = () => {
  const messages: string[] = [];
  return { messages, log: (_level: string, _event: string, message: string) => void messages.push(message) };
};

const clock = turnedClock();

describe('What is tried again', () => {
  const trying = (attempt: () => Promise<string>, waitSeconds: number, stop = new AbortController().signal) => {
    const { messages, log } = keeping();
    const options = { waitSeconds } as ServerOptions;
    return { messages, outcome: retryOpening('no luck', attempt, { options, log, stop }) };
  };
  const failing = (...reasons: string[]) => {
    let count = 0;
    return () => Promise.reject(new Error(reasons[Math.min(count++, reasons.length - 1)]));
  };

  it('has a line in the log for each new reason, and fails with the last one when the time is over', async () => {
    const { messages, outcome } = trying(failing('first', 'second', 'second'), 2);
    const over = expect(outcome).rejects.toThrow('no luck: second');
    await clock.turn(2000);
    await over;
    expect(messages).toEqual(['no luck, retrying for 2 s: first', 'no luck, retrying for 1 s: second']);
  });

  it('has its reason once in a line', async () => {
    const failure = new Error('no list from the upstream: GET http://a: 503', {
      cause: new Error('GET http://a: 503'),
    });
    const { messages, outcome } = trying(() => Promise.reject(failure), 1);
    const over = expect(outcome).rejects.toThrow(/^no luck: GET http:\/\/a: 503$/);
    await clock.turn(1000);
    await over;
    expect(messages[0]).toBe('no luck, retrying for 1 s: GET http://a: 503');
  });

  it('is tried once when there is no time to wait', async () => {
    const { messages, outcome } = trying(failing('first'), 0);
    await expect(outcome).rejects.toThrow('no luck: first; with --cluster.wait SECONDS, this server keeps trying');
    expect(messages).toEqual([]);
  });

  it('is not tried again after the signal to stop', async () => {
    const stop = new AbortController();
    const { outcome } = trying(
      () => {
        stop.abort();
        return Promise.reject(new Error('aborted'));
      },
      60,
      stop.signal,
    );
    await expect(outcome).rejects.toThrow('aborted');
  });
});

describe('The host application of the command', () => {
  const coordinators = (handler: RequestHandler) => ({ listFor: () => ({ handler }), isTrusted: () => false });

  it('logs why a listing failed, with its cause, and after a minute how often', async () => {
    const { messages, log } = keeping();
    const provider = () => Promise.reject(new Error('the store is shut'));
    const app = createHostApplication(coordinators(createListHandler('coordinator', { provider, log })), log);
    for (let request = 0; request < 3; request += 1) {
      expect((await supertest(app).get('/_api/cluster/endpoints')).status).toBe(500);
    }
    expect(messages).toEqual([expect.stringContaining(': the store is shut')]);
    await clock.turn(60_000);
    expect(messages[1]).toBe('2 more requests failed in the last minute');
  });

  it.each([
    ['in its own form', false],
    ['by the end of the connection, once an answer has begun', true],
  ])('answers an error of what stands beside the router %s', async (_how, begins) => {
    const { messages, log } = keeping();
    const torn: RequestHandler = (_req, res, next) => {
      if (begins) res.write('x');
      next(new Error('the page is torn'));
    };
    const app = createHostApplication(coordinators(torn), log);
    const answer = await supertest(app)
      .get('/')
      .catch((error: unknown) => error);
    expect(answer).toMatchObject(
      begins
        ? { code: 'ECONNRESET' }
        : { status: 500, body: { code: 500, error: true, errorMessage: 'internal error', errorNum: 4 } },
    );
    expect(messages).toEqual([expect.stringContaining('the page is torn')]);
  });
});
