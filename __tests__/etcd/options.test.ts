import { createEtcdDirectory, type EtcdDirectoryOptions } from '../../lib/etcd/index.js';
import { readEtcdOptions } from '../../lib/etcd/options.js';

const hosts = ['http://127.0.0.1:2379'];
const HOST = 'http(s)://host:port, without user, password, path or query';
const TIME = 'milliseconds from 1 to 2147483647';

describe('an option that is refused', () =>
  it.each<[unknown, string]>([
    [{}, `hosts is missing; it must be an array of one or more ${HOST}`],
    [{ hosts: [] }, `hosts must be an array of one or more ${HOST}, got an array`],
    [{ hosts: hosts[0] }, `hosts must be an array of one or more ${HOST}, got "${String(hosts[0])}"`],
    [{ hosts: [...hosts, 7] }, `hosts[1] must be ${HOST}, got 7`],
    [{ hosts, prefix: '' }, 'prefix must be a text of 1 character or more, got ""'],
    [{ hosts, prefix: 5 }, 'prefix must be a text of 1 character or more, got 5'],
    [{ hosts, auth: 'root:hunter2' }, 'auth must be a plain object of username, password, got a string'],
    [{ hosts, auth: { username: 'root' } }, 'auth.password is missing; it must be a text of 1 character or more'],
    [
      { hosts, auth: { username: 'root', password: 5 } },
      'auth.password must be a text of 1 character or more, got number',
    ],
    [{ hosts, auth: { username: '', password: 'x' } }, 'auth.username must be a text of 1 character or more, got ""'],
    [{ hosts, tls: 5 }, 'tls must be a plain object of ca, cert, key, servername, got number'],
    [{ hosts, tls: { servername: 5 } }, 'tls.servername must be a host name, got 5'],
    [{ hosts, tls: { ca: 5 } }, 'tls.ca must be a PEM text or buffer, got number'],
    [{ hosts, tls: { cert: 'x' } }, 'tls must have both cert and key, or neither, got only one of them'],
    [
      { hosts: ['https://etcd:2379'], tls: { cert: 'no certificate', key: Buffer.from('no key') } },
      'tls must have PEM certificates, and a key that fits cert, got something unusable',
    ],
    [
      { hosts: ['https://etcd:2379', 'http://etcd2:2379'], tls: {} },
      'hosts must be https:// hosts with option tls, got http://etcd2:2379',
    ],
    [{ hosts, connectTimeoutMs: 0 }, `connectTimeoutMs must be ${TIME}, got 0`],
    [{ hosts, requestTimeoutMs: NaN }, `requestTimeoutMs must be ${TIME}, got NaN`],
    [{ hosts, probeIntervalMs: Infinity }, `probeIntervalMs must be ${TIME}, got Infinity`],
    [{ hosts, relistIntervalMs: '5' }, `relistIntervalMs must be ${TIME}, got "5"`],
    [{ hosts, maxStaleMs: -1 }, 'maxStaleMs must be milliseconds from 0 to 2147483647, or Infinity, got -1'],
    [{ hosts, retry: { minMs: 0 } }, `retry.minMs must be ${TIME}, got 0`],
    [
      { hosts, retry: { minMs: 500, maxMs: 400 } },
      'retry must be a plain object of minMs, maxMs, the first no longer than the second, got object',
    ],
  ])('%p', async (options, message) => {
    await expect(createEtcdDirectory(options as EtcdDirectoryOptions)).rejects.toThrow(
      new TypeError(`createEtcdDirectory: option ${message}`),
    );
  }));

describe('a host that is refused', () =>
  it.each([
    ...[
      '127.0.0.1:2379',
      'http:etcd:2379',
      'http://a..:1',
      'http://.:2379',
      'ftp://etcd:2379',
      'xhttp://etcd:1',
      'http://etcd:0',
      'http://etcd:99999',
      'http://etcd:2379/v3',
    ].map((host) => [host, host] as const),
    ['http://root:hunter2@etcd:2379', 'http://***@etcd:2379'] as const,
    ['http://etcd:2379?token=hunter2', 'http://etcd:2379?***'] as const,
  ])('%s', async (host, shown) => {
    await expect(createEtcdDirectory({ hosts: [host] })).rejects.toThrow(
      new TypeError(`createEtcdDirectory: option hosts[0] must be ${HOST}, got "${shown}"`),
    );
  }));

describe('options that are omitted', () =>
  it('have these values', () =>
    expect(readEtcdOptions({ hosts })).toEqual({
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
      signal: undefined,
    })));
