import express from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';

const app = express();
app.use(createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://10.0.0.1:8529', 'ssl://[2001:db8::1]'] }));

const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['/_api/cluster/endpoints', '/_api/endpoint']) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    console.log(response.status, await response.text());
  }
  server.closeAllConnections();
  server.close();
});
