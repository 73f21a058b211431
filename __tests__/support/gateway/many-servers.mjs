// As many servers on loopback as the argument says, each on a port of its own, all in this process; it sends the ports to its parent.
import { createServer } from 'node:http';
import { once } from 'node:events';

const ports = [];
for (let index = 0; index < Number(process.argv[2]); index += 1) {
  const server = createServer((_req, res) => res.end('{"mode":"default"}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push(server.address().port);
}
process.on('disconnect', () => process.exit());
process.send?.(ports);
