import { createEtcdDirectory, type EtcdDirectoryOptions } from '../../../lib/membership/etcd/index.js';
import { etcdSettings } from '../../../lib/membership/etcd/options.js';

const hosts = ['http://127.0.0.1:2379'];
const HOST = 'http(s)://host:port, without user, password, path or query';
const NAMES =
  'hosts, prefix, auth, tls, connectTimeoutMs, requestTimeoutMs, probeIntervalMs, relistIntervalMs, maxStaleMs, retry, includeSelf';
const TIME = 'milliseconds from 1 to 2147483647';

describe('an option that is refused', () => {
  it.each<[unknown, string]>([
    [undefined, `createEtcdDirectory options are undefined; allowed: an object of ${NAMES}`],
    [null, `createEtcdDirectory options are null; allowed: an object of ${NAMES}`],
    [hosts, `createEtcdDirectory options are an array; allowed: an object of ${NAMES}`],
    [{}, `createEtcdDirectory option hosts is undefined; allowed: an array of one or more ${HOST}`],
    [{ hosts: [] }, `createEtcdDirectory option hosts is an array; allowed: an array of one or more ${HOST}`],
    [
      { hosts: hosts[0] },
      `createEtcdDirectory option hosts is "${String(hosts[0])}"; allowed: an array of one or more ${HOST}`,
    ],
    [{ hosts: [...hosts, 7] }, `createEtcdDirectory option hosts[1] is number; allowed: ${HOST}`],
    [{ hosts: ['127.0.0.1:2379'] }, `createEtcdDirectory option hosts[0] is "127.0.0.1:2379"; allowed: ${HOST}`],
    [{ hosts: ['http:etcd:2379'] }, `createEtcdDirectory option hosts[0] is "http:etcd:2379"; allowed: ${HOST}`],
    [{ hosts: ['ftp://etcd:2379'] }, `createEtcdDirectory option hosts[0] is "ftp://etcd:2379"; allowed: ${HOST}`],
    [{ hosts: ['xhttp://etcd:1'] }, `createEtcdDirectory option hosts[0] is "xhttp://etcd:1"; allowed: ${HOST}`],
    [{ hosts: ['http://etcd:0'] }, `createEtcdDirectory option hosts[0] is "http://etcd:0"; allowed: ${HOST}`],
    [{ hosts: ['http://etcd:99999'] }, `createEtcdDirectory option hosts[0] is "http://etcd:99999"; allowed: ${HOST}`],
    [
      { hosts: ['http://etcd:2379/v3'] },
      `createEtcdDirectory option hosts[0] is "http://etcd:2379/v3"; allowed: ${HOST}`,
    ],
    [
      { hosts: ['http://root:hunter2@etcd:2379'] },
      `createEtcdDirectory option hosts[0] is "http://***@etcd:2379"; allowed: ${HOST}`,
    ],
    [
      { hosts: ['http://etcd:2379?token=hunter2'] },
      `createEtcdDirectory option hosts[0] is "http://etcd:2379..."; allowed: ${HOST}`,
    ],
    [{ hosts, prefix: '' }, 'createEtcdDirectory option prefix is ""; allowed: a text of 1 character or more'],
    [{ hosts, prefix: 5 }, 'createEtcdDirectory option prefix is 5; allowed: a text of 1 character or more'],
    [
      { hosts, auth: 'root:hunter2' },
      'createEtcdDirectory option auth is string; allowed: an object of username, password',
    ],
    [
      { hosts, auth: { username: 'root' } },
      'createEtcdDirectory option auth.password is undefined; allowed: a text of 1 character or more',
    ],
    [
      { hosts, auth: { username: 'root', password: 5 } },
      'createEtcdDirectory option auth.password is number; allowed: a text of 1 character or more',
    ],
    [
      { hosts, auth: { username: '', password: 'x' } },
      'createEtcdDirectory option auth.username is ""; allowed: a text of 1 character or more',
    ],
    [{ hosts, auth: null }, 'createEtcdDirectory option auth is object; allowed: an object of username, password'],
    [
      { hosts, auth: { username: 'root', password: 'x', pass: 'hunter2' } },
      'createEtcdDirectory option auth."pass" is unknown; allowed: username, password',
    ],
    [
      { hosts, tls: true },
      'createEtcdDirectory option tls is boolean; allowed: an object of ca, cert, key, servername',
    ],
    [{ hosts, tls: { ca: 5 } }, 'createEtcdDirectory option tls.ca is number; allowed: a PEM text or buffer'],
    [
      { hosts, tls: { cert: 'x' } },
      'createEtcdDirectory option tls has only one of cert and key; allowed: both or neither',
    ],
    [
      { hosts: ['https://etcd:2379'], tls: { cert: 'no certificate', key: Buffer.from('no key') } },
      'createEtcdDirectory option tls is not usable; allowed: PEM certificates, and a key that fits cert',
    ],
    [
      { hosts: ['https://etcd:2379', 'http://etcd2:2379'], tls: {} },
      'createEtcdDirectory option hosts has http://etcd2:2379; allowed with option tls: https:// hosts',
    ],
    [
      { hosts, retry: 'often' },
      'createEtcdDirectory option retry is string; allowed: an object of minMs, maxMs, the first no longer than the second',
    ],
    [{ hosts, connectTimeoutMs: 0 }, `createEtcdDirectory option connectTimeoutMs is 0; allowed: ${TIME}`],
    [{ hosts, requestTimeoutMs: NaN }, `createEtcdDirectory option requestTimeoutMs is NaN; allowed: ${TIME}`],
    [{ hosts, probeIntervalMs: Infinity }, `createEtcdDirectory option probeIntervalMs is Infinity; allowed: ${TIME}`],
    [{ hosts, relistIntervalMs: '5' }, `createEtcdDirectory option relistIntervalMs is "5"; allowed: ${TIME}`],
    [
      { hosts, maxStaleMs: -1 },
      'createEtcdDirectory option maxStaleMs is -1; allowed: milliseconds from 0 to 2147483647, or Infinity',
    ],
    [{ hosts, retry: { minMs: 0 } }, `createEtcdDirectory option retry.minMs is 0; allowed: ${TIME}`],
    [
      { hosts, retry: { minMs: 500, maxMs: 400 } },
      'createEtcdDirectory option retry is object; allowed: an object of minMs, maxMs, the first no longer than the second',
    ],
    [{ hosts, includeSelf: undefined }, 'createEtcdDirectory option includeSelf is undefined; allowed: true or false'],
    [{ hosts, host: hosts[0] }, `createEtcdDirectory option "host" is unknown; allowed: ${NAMES}`],
  ])('%p', async (options, message) => {
    await expect(createEtcdDirectory(options as EtcdDirectoryOptions)).rejects.toThrow(new TypeError(message));
  });
});

describe('options that are left out', () => {
  it('have these values', () => {
    expect(etcdSettings({ hosts })).toEqual({
      hosts,
      prefix: '/coordinators/',
      auth: undefined,
      tls: undefined,
      connectTimeoutMs: 5000,
      requestTimeoutMs: 2000,
      probeIntervalMs: 2000,
      relistIntervalMs: 300_000,
      maxStaleMs: 900_000,
      retry: { minMs: 100, maxMs: 2000 },
      includeSelf: true,
    });
  });
});
