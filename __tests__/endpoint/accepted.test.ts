import { formatEndpoint, parseEndpoint, type Endpoint } from '../../lib/index.js';
import { testName, verdictOn } from '../support/runner/verdict.js';

const LABEL_63 = 'a'.repeat(63);
const NAME_253 = `${LABEL_63}.${LABEL_63}.${LABEL_63}.${'a'.repeat(61)}`;
const PATH_107 = `/${'s'.repeat(106)}`;

const ACCEPTED = {
  'ports from 1 to 65535, 8529 where none is given': [
    ['https://h', 'ssl://h:8529'],
    ['http://h:80', 'tcp://h:80'],
    ['https://h:443', 'ssl://h:443'],
    ['tcp://[::1]:1', 'tcp://[::1]:1'],
  ],
  'one slash behind the address': [
    ['http://h:80/', 'tcp://h:80'],
    ['ssl://[::1]/', 'ssl://[::1]:8529'],
    ['ssl://[::1]:8530/', 'ssl://[::1]:8530'],
  ],
  'host names in lower case': [
    ['tcp://Coordinator-1.Example:8529', 'tcp://coordinator-1.example:8529'],
    ['tcp://arangodb_coordinator_1:8529', 'tcp://arangodb_coordinator_1:8529'],
    ['tcp://_a._tcp.example:8529', 'tcp://_a._tcp.example:8529'],
    ['tcp://c0.svc.cluster.local', 'tcp://c0.svc.cluster.local:8529'],
    ['tcp://1a:1', 'tcp://1a:1'],
    ['tcp://mylocalhost.example:1', 'tcp://mylocalhost.example:1'],
    ['tcp://10.example:1', 'tcp://10.example:1'],
    ['tcp://a--b:1', 'tcp://a--b:1'],
    [`tcp://${LABEL_63}:1`, `tcp://${LABEL_63}:1`],
    [`tcp://${NAME_253}:1`, `tcp://${NAME_253}:1`],
  ],
  'international names in their ASCII form': [
    ['tcp://M\u00dcNCHEN.example:1', 'tcp://xn--mnchen-3ya.example:1'],
    ['tcp://mu\u0308nchen.example:1', 'tcp://xn--mnchen-3ya.example:1'],
    ['tcp://xn--mnchen-3ya.example:1', 'tcp://xn--mnchen-3ya.example:1'],
    ['tcp://XN--Zca.example:1', 'tcp://xn--zca.example:1'],
    ['tcp://xn--wgv71a119e.m\u00fcnchen:1', 'tcp://xn--wgv71a119e.xn--mnchen-3ya:1'],
    ['tcp://axn--a:1', 'tcp://axn--a:1'],
    ['tcp://fa\u00df.example:1', 'tcp://xn--fa-hia.example:1'],
    ['tcp://\u65e5\u672c\u8a9e.example', 'tcp://xn--wgv71a119e.example:8529'],
    ['tcp://h\u3002example:1', 'tcp://h.example:1'],
    ['tcp://\uff28\uff4f\uff53\uff54:1', 'tcp://host:1'],
    ['tcp://\u212a8s:1', 'tcp://k8s:1'],
  ],
  'a final dot, which makes a name absolute': [
    ['tcp://h.:1', 'tcp://h:1'],
    ['HTTPS://Etcd.DB.svc.cluster.local./', 'ssl://etcd.db.svc.cluster.local:8529'],
    ['tcp://b\u00fccher.example\u3002', 'tcp://xn--bcher-kva.example:8529'],
    [`tcp://${'a.'.repeat(127)}:1`, `tcp://${'a.'.repeat(127).slice(0, -1)}:1`],
  ],
  'addresses, IPv6 as in RFC 5952': [
    ['tcp://255.255.255.255:1', 'tcp://255.255.255.255:1'],
    ['tcp://0.0.0.0:1', 'tcp://0.0.0.0:1'],
    ['tcp://[::]:1', 'tcp://[::]:1'],
    ['tcp://[0:0:0:0:0:0:0:1]:1', 'tcp://[::1]:1'],
    ['tcp://[2001:0DB8::0001]:1', 'tcp://[2001:db8::1]:1'],
    ['tcp://[2001:db8:0:0:1:0:0:1]:1', 'tcp://[2001:db8::1:0:0:1]:1'],
    ['tcp://[2001:db8:0:1:1:1:1:1]:1', 'tcp://[2001:db8:0:1:1:1:1:1]:1'],
    ['tcp://[::FFFF:10.0.0.1]:1', 'tcp://[::ffff:a00:1]:1'],
  ],
  'paths of socket files, letter for letter': [
    ['unix:///Tmp/Arango.SOCK', 'unix:///Tmp/Arango.SOCK'],
    ['unix:////s', 'unix:////s'],
    ['unix:///a/../s', 'unix:///a/../s'],
    ['unix:///a@b:1%20[c]\\d', 'unix:///a@b:1%20[c]\\d'],
    ['unix:///\u00fc', 'unix:///\u00fc'],
    ['unix:///tcp://h', 'unix:///tcp://h'],
    [`unix://${PATH_107}`, `unix://${PATH_107}`],
  ],
} as const;

describe('An endpoint description may have', () =>
  describe.each(Object.entries(ACCEPTED))('%s:', (_, rows) =>
    it.each(rows.map(([text, canonical]) => [testName(text), text, canonical] as const))('%s', (_, text, canonical) =>
      expect(verdictOn(text)).toEqual(['becomes', canonical]),
    ),
  ));

describe('An endpoint taken apart', () => {
  it.each<[string, Endpoint]>([
    ['HTTP+TCP://LocalHost', { scheme: 'tcp', host: 'localhost', port: 8529 }],
    ['https://10.0.0.1:443/', { scheme: 'ssl', host: '10.0.0.1', port: 443 }],
    ['ssl://[2001:DB8::0]:8530', { scheme: 'ssl', host: '2001:db8::', port: 8530 }],
    ['http@unix:///Run/a.sock', { scheme: 'unix', host: '', port: 0, path: '/Run/a.sock' }],
  ])('%s has a scheme, a host, a port and perhaps a path', (text, parts) =>
    expect(parseEndpoint(text)).toStrictEqual(parts),
  );

  it('is frozen', () => {
    expect(Object.isFrozen(parseEndpoint('tcp://h:1'))).toBe(true);
    expect(Object.isFrozen(parseEndpoint('unix:///s'))).toBe(true);
  });

  it('is put together again in canonical form, however it was made', () => {
    expect(formatEndpoint({ scheme: 'ssl', host: 'Host.Example', port: 443 })).toBe('ssl://host.example:443');
    expect(formatEndpoint({ scheme: 'tcp', host: '0:0::1', port: 1 })).toBe('tcp://[::1]:1');
    expect(formatEndpoint({ scheme: 'unix', host: '', port: 0, path: '/s' })).toBe('unix:///s');
  });
});

describe('A host name with a character that Unicode took in after version 15.0', () => {
  // Node has the tables of its URL parser, Ada: Unicode 15.0 up to Node 22, a later version from Node 24 on.
  const hasNewTables = Number.parseInt(String(process.versions['ada'])) >= 3;

  it.each([
    ['tcp://\u088f.example', 'tcp://xn--7xb.example:8529'],
    ['tcp://\u{2ebf0}.example', 'tcp://xn--8g0n.example:8529'],
  ])('is accepted once the running Node knows it, and refused before: %s', (text, canonical) =>
    expect(verdictOn(text)).toEqual(
      hasNewTables
        ? ['becomes', canonical]
        : ['is refused:', 'the host is neither a host name nor a dotted IPv4 address'],
    ),
  );
});
