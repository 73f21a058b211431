import express from 'express';
import { createEndpointRouter, type EndpointListBody, type EndpointProvider } from 'express-endpoint-listing';
import type { AddressInfo } from 'node:net';

const endpoints: EndpointProvider = async ({ listing, req }) => {
  await Promise.resolve(req.baseUrl);
  return listing === 'cluster' ? ['tcp://10.0.0.1:8529'] : ['ssl://[2001:db8::1]'];
};

const app = express();
app.use(
  createEndpointRouter({ endpoints, role: 'coordinator', databaseName: (req) => req.get('x-database') ?? '_system' }),
);

const server = app.listen(0, '127.0.0.1', () => {
  void ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function ask(origin: string): Promise<void> {
  const refused = await fetch(`${origin}/_api/cluster/endpoints`, { headers: { 'x-database': 'other' } });
  console.log(refused.status, await refused.text());
  const cluster = await fetch(`${origin}/_api/cluster/endpoints`);
  console.log(cluster.status, await cluster.text());
  const list = (await (await fetch(`${origin}/_api/endpoint`)).json()) as EndpointListBody;
  console.log(list.map(({ endpoint }) => endpoint));
  server.closeAllConnections();
  server.close();
}
