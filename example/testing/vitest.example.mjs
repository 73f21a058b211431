import { startTestCluster } from 'express-endpoint-listing/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let cluster;
beforeAll(async () => {
  cluster = await startTestCluster();
});
afterEach(() => cluster.reset());
afterAll(() => cluster.close());

test('an outage is over after two requests', async () => {
  cluster.trouble({ kind: 'status', status: 503, times: 2 });
  const statuses = [];
  for (let sent = 0; sent < 3; sent += 1) {
    statuses.push((await fetch(`${cluster.urls[0]}/_api/cluster/endpoints`)).status);
  }
  expect(statuses).toEqual([503, 503, 200]);
});
