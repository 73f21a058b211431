import { createSrvDirectory } from '../../lib/dns-srv/index.js';
import { logDirectory } from '../../lib/cli/directory-log.js';
import { startDnsServer } from '../support/dns/dns-server.js';
import { until } from '../support/until.js';

describe('The log of a coordinator', () => {
  it('says what happens to its list', async () => {
    const dns = await startDnsServer({ records: [{ target: 'a.example', port: 1 }] });
    const directory = await createSrvDirectory({
      name: '_arangodb._tcp.example',
      servers: [dns.address],
      pollIntervalMs: 20,
      maxStaleMs: 100,
    });
    const lines: string[] = [];
    logDirectory(directory, (line) => lines.push(line));
    const logged = (text: string): Promise<void> => until(text, () => lines.some((line) => line.includes(text)));

    dns.reply({
      records: [
        { target: 'b.example', port: 2 },
        { target: 'a b', port: 1 },
        { target: 'c d', port: 1 },
      ],
    });
    await logged('coordinators: tcp://b.example:2');
    await logged('; "tcp://c d:1" is not an endpoint');
    dns.reply({ rcode: 'REFUSED' });
    await logged('the list of coordinators is not confirmed any more: ');
    await logged('the list of coordinators is too old: the cluster route answers 503');
    dns.reply({ rcode: 'NXDOMAIN' });
    await logged('the list of coordinators is confirmed again');
    await logged('coordinators: none');
    await directory.close();
    await dns.close();
  });
});
