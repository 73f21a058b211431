const { startTestCluster } = require('express-endpoint-listing/testing');

let cluster;
beforeAll(async () => {
  cluster = await startTestCluster();
});
afterEach(() => cluster.reset());
afterAll(() => cluster.close());

test('a dead coordinator stays listed', async () => {
  await cluster.coordinators[1].stop();
  const response = await fetch(`${cluster.urls[0]}/_api/cluster/endpoints`);
  const { endpoints } = await response.json();
  expect(endpoints).toHaveLength(3);
});
