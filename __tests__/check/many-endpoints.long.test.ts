import { checkEndpoints } from '../../lib/client/index.js';
import { useListedServers } from '../support/check/listed-servers.js';

const servers = useListedServers();

it('1,000 endpoints of which 900 hang take no longer than 50 timeouts and 5 seconds, a few at a time', async () => {
  let open = 0;
  let most = 0;
  const hanging = await servers.connections((socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.resume().on('close', () => (open -= 1));
  }, '0.0.0.0');
  const living = await servers.plain(servers.answer, '0.0.0.0');
  // Linux has all of 127.0.0.0/8.
  const list = Array.from({ length: 1000 }, (_, index) => {
    const address = `127.1.${String(index >> 8)}.${String(index & 255)}`;
    return (index % 10 === 0 ? living : hanging).replace('127.0.0.1', address);
  });
  // On a machine that is busy with other things, those that live need longer, too: twenty at once here, two of twenty later.
  servers.list = list.filter((_, index) => index % 10 === 0);
  const beforehand = performance.now();
  await checkEndpoints(living, { timeoutMs: 30_000 });
  const timeoutMs = Math.round(500 + (performance.now() - beforehand) / 8);
  servers.list = list;
  const startedAt = performance.now();
  const { endpoints, usable, ok } = await checkEndpoints(living, { timeoutMs });
  const elapsed = performance.now() - startedAt;
  expect(ok).toBe(false);
  const timeouts = endpoints.filter(({ result }) => result === 'timeout').map(({ endpoint }) => endpoint);
  const lateOnes = timeouts.filter((endpoint) => servers.list.indexOf(endpoint) % 10 === 0);
  expect([usable + lateOnes.length, timeouts.length - lateOnes.length]).toEqual([100, 900]);
  // Where the machine stands still for as long as that, one that lives is late.
  expect(lateOnes.length).toBeLessThan(10);
  expect(elapsed).toBeLessThan(timeoutMs * 50 + 5000);
  // The server may hear of the next connection before it hears that one has ended.
  expect(most).toBeGreaterThanOrEqual(20);
  expect(most).toBeLessThanOrEqual(40);
});
