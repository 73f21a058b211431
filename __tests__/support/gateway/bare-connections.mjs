// What the cheapest checks cost that one would write: opens as many connections a second as the second argument says, one after the
// other, to the ports that its parent sends; each writes a request and is closed at the first byte of the answer. Sends its share of a
// core after as many seconds as the first argument says.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [seconds, perSecond] = process.argv.slice(2).map(Number);
const [ports] = await once(process, 'message');

function open(port) {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  socket.once('data', () => socket.destroy());
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
}

const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
let opened = 0;
for (; performance.now() - startedAt < seconds * 1000; opened += 1) {
  open(ports[opened % ports.length]);
  await sleep(startedAt + ((opened + 1) * 1000) / perSecond - performance.now());
}
const { user, system } = process.cpuUsage(cpuBefore);
process.send({ share: (user + system) / 1000 / (performance.now() - startedAt), opened });
process.disconnect();
