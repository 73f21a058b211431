import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { RequestLog } from '../../lib/testing/request-log.js';

it('The requests of a cluster are kept up to the newest 10,000', () => {
  const log = new RequestLog();
  for (let index = 0; index < 10_002; index += 1) {
    log.add(index % 2, Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: `/${String(index)}` }));
  }
  expect(log.all()).toHaveLength(10_000);
  expect([log.all()[0]?.url, log.all().at(-1)?.url]).toEqual(['/2', '/10001']);
  expect(log.of(1)).toHaveLength(5000);
});
