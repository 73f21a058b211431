import { exchange } from '../support/hostile/connection.js';
import { HostProcess } from '../support/hostile/host-process.js';
import { faultsOf, namesOfAnswers } from '../support/hostile/raw-answers.js';
import { rawRequests } from '../support/hostile/raw-requests.js';
import { ask } from '../support/router/ask.js';
import { request } from '../support/router/raw.js';

/** Connections at a time. */
const ATTACKERS = 64;

describe.each([5, 4] as const)('A host on Express %i that is sent hostile bytes', (expressMajor) =>
  it('gives defined answers, no listing outside _system, and serves the next request on a fresh connection', async () => {
    const host = await HostProcess.start(expressMajor, 5_000);
    const answers = new Set<string>();
    const faults: string[] = [];
    const queue = rawRequests(3_000, 20_240_229).values();
    const attackers = Array.from({ length: ATTACKERS }, async () => {
      for (const packets of queue) {
        const sent = packets.join('');
        const outcome = await exchange(host.port, packets);
        for (const name of namesOfAnswers(outcome.bytes)) answers.add(name);
        const { status } = await ask(`tcp://127.0.0.1:${String(host.port)}`, { path: '/_api/endpoint' });
        const wrong = [...faultsOf(sent, outcome), ...(status === 200 ? [] : [`the next one: ${String(status)}`])];
        for (const fault of wrong) faults.push(`${JSON.stringify(sent.slice(0, 300))}: ${fault}`);
      }
    });
    await Promise.all(attackers);
    faults.push(...(await host.remains()));
    await host.stop();

    expect(faults).toEqual([]);
    // The attack gets as far as it is meant to: to the listings, to every refusal, and to the parser of Node.
    const refusals = ['400 / 1229', '400 / 1230', '403 / 1230', '405', '404 host', '400 node', '431 node'];
    expect([...answers]).toEqual(expect.arrayContaining(['200', ...refusals]));
  }),
);

describe('The judge of the raw answers', () => {
  const LISTING =
    'HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n' +
    'Content-Length: 75\r\nCache-Control: no-store\r\nDate: Thu, 29 Feb 2024 00:00:00 GMT\r\n\r\n' +
    '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}';
  const UNASKED = 'a listing that nobody may ask for';

  it.each<[sent: string, received: string, faults: string[]]>([
    [
      request('GET', 'http://a/v1/_db/%5Fsystem/_api/cluster/endpoints/?a'),
      `HTTP/1.1 100 Continue\r\n\r\n${LISTING}`,
      [],
    ],
    [request('GET', '/tenant/_db/_system/_db/_system/_api/cluster/endpoints'), LISTING, []],
    [request('GET', '/_api/cluster/endpoints'), LISTING + LISTING, [UNASKED]],
    [request('GET', '/_db/%255Fsystem/_api/cluster/endpoints'), LISTING, [UNASKED]],
    [request('GET', '/tenant/_db/other/_db/_system/_api/cluster/endpoints'), LISTING, [UNASKED]],
    [request('POST', '/_api/cluster/endpoints'), LISTING, [UNASKED]],
    [request('GET', '/x/_api/cluster/endpoints'), LISTING, [UNASKED]],
    ['', 'Error: x\n    at y', ['unknown: Error: x\n    at y']],
    ['', 'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n', ['an answer without its body']],
  ])('says of the answer to %j what is wrong', (sent, received, faults) => {
    expect(faultsOf(sent, { bytes: Buffer.from(received), isClosed: true })).toEqual(faults);
    expect(faultsOf(sent, { bytes: Buffer.from(received), isClosed: false })).toContain(
      'the connection was held for a minute',
    );
  });
});
