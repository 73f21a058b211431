// A Coordinator in a process of its own, to be killed and frozen; its parent tells it how to behave.
import { createServer } from 'node:http';

const behaviour = { delayMs: 0, status: 200, listing: [] };
process.on('message', (change) => Object.assign(behaviour, change));
process.on('disconnect', () => process.exit());

const server = createServer((req, res) => {
  const { delayMs, status, listing } = behaviour;
  const isListing = req.url?.endsWith('/_api/cluster/endpoints') === true;
  const body =
    status !== 200
      ? { code: status, error: true, errorMessage: 'service unavailable', errorNum: status }
      : isListing
        ? { error: false, code: 200, endpoints: listing.map((endpoint) => ({ endpoint })) }
        : { error: false, code: 200, mode: 'default' };
  setTimeout(() => {
    res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    res.end(JSON.stringify(body));
  }, delayMs);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
