import express = require('express');
import endpointListing = require('express-endpoint-listing');
import type { AddressInfo } from 'net';

const app = express();
app.use(
  endpointListing.createEndpointRouter({
    endpoints: ({ listing }) => (listing === 'cluster' ? ['tcp://10.0.0.1:8529'] : ['ssl://[2001:db8::1]']),
    role: 'coordinator',
  }),
);

const server = app.listen(0, '127.0.0.1', () => {
  void ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function ask(origin: string): Promise<void> {
  for (const path of ['/_api/cluster/endpoints', '/_api/endpoint']) {
    const response = await fetch(origin + path);
    console.log(response.status, await response.text());
  }
  server.closeAllConnections();
  server.close();
}
