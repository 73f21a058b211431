import type { ServerOptions } from '../../lib/config/index.js';
import { ALLOWED_SCHEMES, load, loadError } from '../support/process/config-folder.js';

describe('a command line', () => {
  it.each<[string, string[], Partial<ServerOptions>]>([
    [
      'repeats an option to add to its list, in both spellings and in its order',
      ['--server.endpoint', 'tcp://b:2', '--server.endpoint=tcp://a:1', '--server.endpoint', 'ssl://c:3'],
      { endpoints: ['tcp://b:2', 'tcp://a:1', 'ssl://c:3'] },
    ],
    [
      'listens once on an endpoint that is given twice',
      ['--server.endpoint', 'tcp://h', '--server.endpoint', 'HTTP://H:8529/'],
      { endpoints: ['tcp://h:8529'] },
    ],
    [
      'leaves the choice of the port to the system with port 0',
      ['--server.endpoint', 'tcp://h:0', '--server.endpoint=ssl://[::1]:0'],
      { endpoints: ['tcp://h:0', 'ssl://[::1]:0'] },
    ],
    ['keeps the @ of http@tcp', ['--server.endpoint', 'http@tcp://h:1'], { endpoints: ['tcp://h:1'] }],
    [
      'gives a key file, found from the working folder',
      ['--ssl.keyfile', 'tls/server.pem'],
      { ssl: { keyfile: '/conf/tls/server.pem' } },
    ],
    [
      'gives an absolute key file, and keeps an equals sign in it',
      ['--ssl.keyfile=/etc/a=b.pem'],
      { ssl: { keyfile: '/etc/a=b.pem' } },
    ],
    [
      'gives a value that starts with a dash behind an equals sign',
      ['--ssl.keyfile=-a.pem'],
      { ssl: { keyfile: '/conf/-a.pem' } },
    ],
    [
      'takes the last value of an option that has one',
      ['--ssl.keyfile', '/a.pem', '--ssl.keyfile', '/b.pem'],
      { ssl: { keyfile: '/b.pem' } },
    ],
    [
      'may have an argument of 4,096 characters',
      [`--ssl.keyfile=/${'k'.repeat(4081)}`],
      { ssl: { keyfile: `/${'k'.repeat(4081)}` } },
    ],
    ['may end its options', ['--server.endpoint', 'tcp://h:1', '--'], { endpoints: ['tcp://h:1'] }],
    [
      'gives the address and the advertised endpoint',
      ['--cluster.my-address', 'tcp://h', '--cluster.my-advertised-endpoint', 'https://out:443'],
      { myAddress: 'tcp://h:8529', advertisedEndpoint: 'ssl://out:443' },
    ],
  ])('%s', (_, args, expected) => expect(load({}, { args })).toMatchObject(expected));

  it.each<[string, string[], string]>([
    [
      'an option without a value',
      ['--cluster.my-role'],
      'command line: "--cluster.my-role": the option needs a value, ROLE: SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)',
    ],
    [
      'an option in the place of a value, alone',
      ['--cluster.coordinator', '--cluster.my-role', 'SINGLE'],
      'command line: "--cluster.coordinator": the option needs a value, ENDPOINT: list this Coordinator (a fixed list)',
    ],
    [
      'the end of the options in the place of a value',
      ['--configuration', '--'],
      'command line: "--configuration": the option needs a value, FILE: read this file, or none',
    ],
    ['an argument without an option', ['tcp://h:1'], 'command line: "tcp://h:1": unexpected argument'],
    [
      'an argument behind a value',
      ['--server.endpoint=tcp://a:1', 'tcp://b:1'],
      'command line: "tcp://b:1": unexpected argument',
    ],
    [
      'an argument behind the end of the options',
      ['--server.endpoint', 'tcp://a:1', '--', '--version'],
      'command line: "--version": unexpected argument',
    ],
    [
      'a misspelt option',
      ['--server.endpont', 'tcp://h:1'],
      'command line: "--server.endpont": unknown option "--server.endpont", did you mean --server.endpoint? (see --help)',
    ],
    [
      'an option whose dashes count for nothing in the search for the one that was meant',
      ['--endpot=tcp://h:1'],
      'command line: "--endpot": unknown option "--endpot", did you mean --server.endpoint? (see --help)',
    ],
    [
      'an option whose letters are too many by two, though each is written as a pair',
      ['--hel\u{1F600}\u{1F600}'],
      'command line: "--hel\u{1F600}\u{1F600}": unknown option "--hel\u{1F600}\u{1F600}" (see --help)',
    ],
    [
      'an option in capitals',
      ['--Cluster.My-Role', 'SINGLE'],
      'command line: "--Cluster.My-Role": unknown option "--Cluster.My-Role", did you mean --cluster.my-role? (see --help)',
    ],
    [
      'an option behind one dash',
      ['-server.endpoint', 'tcp://h:1'],
      'command line: "-server.endpoint": unknown option "-server.endpoint", did you mean --server.endpoint? (see --help)',
    ],
    [
      'an option named __proto__',
      ['--__proto__=1'],
      'command line: "--__proto__": unknown option "--__proto__" (see --help)',
    ],
    ['a switch with a value', ['--help=yes'], 'command line: "--help=yes": the option takes no value'],
    [
      'an address of its own with port 0',
      ['--cluster.my-address', 'tcp://h:0'],
      `command line: "--cluster.my-address tcp://h:0": "tcp://h:0" is not an endpoint: the port is outside 1 to 65535; ${ALLOWED_SCHEMES}`,
    ],
    [
      'an argument that is too long',
      ['--ssl.keyfile', 'a'.repeat(4097)],
      `command line: "${'a'.repeat(200)}...": the argument is longer than 4096 characters`,
    ],
    [
      'a file name with a control character',
      ['--ssl.keyfile', '/a\0b'],
      'command line: "--ssl.keyfile /a\\u0000b": "/a\\u0000b" is not a file name: it contains a control character',
    ],
  ])('is refused for %s', (_, args, message) => expect(loadError({}, { args }).message).toBe(message));

  it('is refused with everything that is wrong in it at once', () => {
    const args = ['--server.endpoint', 'tcp://', '--x', '--server.endpoint=h:1', '--cluster.my-role=king'];
    expect(loadError({}, { args }).message).toBe(
      [
        '4 problems in the configuration:',
        `command line: "--server.endpoint tcp://": "tcp://" is not an endpoint: the host is empty; ${ALLOWED_SCHEMES}`,
        'command line: "--x": unknown option "--x"',
        `command line: "--server.endpoint=h:1": "h:1" is not an endpoint: it has no "<scheme>://"; ${ALLOWED_SCHEMES}`,
        'command line: "--cluster.my-role=king": "king" is not a role: it is none of SINGLE, COORDINATOR, DBSERVER, PRIMARY, AGENT',
        'see --help',
      ].join('\n  '),
    );
  });
});

describe('--help and --version', () => {
  it.each([
    ['--help', ['--help'], { help: true, version: false }],
    ['-h', ['-h'], { help: true, version: false }],
    ['--version', ['--version'], { help: false, version: true }],
    ['--help before an argument of its own', ['--help', 'me'], { help: true, version: false }],
    ['both', ['--version', '--help'], { help: true, version: true }],
  ])('%s is told to the caller', (_, args, expected) => expect(load({}, { args })).toMatchObject(expected));

  it('are false where they are not given', () => expect(load({})).toMatchObject({ help: false, version: false }));

  it('count also among mistakes, and nothing else is read', () => {
    const args = ['--server.endpoint', 'tcp://h:1', '--bad', '--configuration', 'missing.conf', '--help'];
    expect(load({}, { args })).toEqual({ ...load({}), help: true });
  });
});
