import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadServerOptions, type ServerOptions } from '../../lib/config/index.js';
import {
  ALLOWED_SCHEMES,
  fileError,
  inFolder,
  load,
  loadError,
  loadFile,
  type Files,
} from '../support/process/config-folder.js';

const UNKNOWN_SHAPE = 'the line is none of "name = value", "[section]", "@include file" and "# comment"';
const UNREADABLE = 'the line is not UTF-8 text, or has control characters';

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

describe('a configuration file', () => {
  it.each<[string, string | Uint8Array, Partial<ServerOptions>]>([
    ['that is empty leaves the defaults', '', { endpoints: ['tcp://127.0.0.1:8529'], role: 'single' }],
    ['names an endpoint in a section', '[server]\nendpoint = tcp://a:1\n', { endpoints: ['tcp://a:1'] }],
    ['may do without blanks', '[server]\nendpoint=tcp://a:1', { endpoints: ['tcp://a:1'] }],
    [
      'may have blanks and tabs around everything',
      ' \t[server] \t\n \tendpoint \t = \t tcp://a:1 \t \n',
      { endpoints: ['tcp://a:1'] },
    ],
    ['may end its lines as Windows does', '[server]\r\nendpoint = tcp://a:1\r\n', { endpoints: ['tcp://a:1'] }],
    ['may start with a byte order mark', '\uFEFF[server]\nendpoint = tcp://a:1\n', { endpoints: ['tcp://a:1'] }],
    [
      'may hold comments and empty lines',
      '# one\n\n  ; two = 2\n[server]\n\t# three\nendpoint = tcp://a:1\n;[ssl]\n',
      { endpoints: ['tcp://a:1'] },
    ],
    [
      'may hold a comment in any encoding',
      bytes('# M', 0xfc, 'nchen\nserver.endpoint = tcp://a:1\n'),
      { endpoints: ['tcp://a:1'] },
    ],
    ['may use a dotted key outside of every section', 'server.endpoint = tcp://a:1\n', { endpoints: ['tcp://a:1'] }],
    ['may use a dotted key in another section', '[ssl]\nserver.endpoint = tcp://a:1\n', { endpoints: ['tcp://a:1'] }],
    [
      'may open a section twice',
      '[server]\nendpoint = tcp://a:1\n[ssl]\nkeyfile = /k.pem\n[server]\nendpoint = tcp://b:1\n',
      { endpoints: ['tcp://a:1', 'tcp://b:1'], ssl: { keyfile: '/k.pem' } },
    ],
    ['may have an empty section of any name', '[log]\n[my_Own-2]\n', { endpoints: ['tcp://127.0.0.1:8529'] }],
    [
      'may mark a section for the community edition',
      '[server:community]\nendpoint = tcp://a:1\n',
      { endpoints: ['tcp://a:1'] },
    ],
    [
      'has sections for the enterprise edition, which are skipped',
      '[server:enterprise]\nendpoint = tcp://a:1\nunknown = 1\n[server]\nendpoint = tcp://b:1\n',
      { endpoints: ['tcp://b:1'] },
    ],
    [
      'may hold a comment of any length',
      `# ${'a'.repeat(5000)}\nserver.endpoint = tcp://a:1\n`,
      { endpoints: ['tcp://a:1'] },
    ],
    [
      'may hold a line of 4,096 characters',
      `ssl.keyfile = /${'k'.repeat(4081)}`,
      { ssl: { keyfile: `/${'k'.repeat(4081)}` } },
    ],
    ['keeps an equals sign in a value', '[ssl]\nkeyfile = /a=b.pem\n', { ssl: { keyfile: '/a=b.pem' } }],
    ['keeps blanks and # in a value', '[ssl]\nkeyfile = /my keys #1.pem\n', { ssl: { keyfile: '/my keys #1.pem' } }],
  ])('%s', (_, content, expected) => expect(loadFile(content)).toMatchObject(expected));

  it('may have ten thousand lines', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `endpoint = tcp://h${String(index)}:1`);
    const { endpoints, sources } = loadFile(['[server]', ...lines].join('\n'));
    expect(endpoints).toHaveLength(10_000);
    expect(endpoints[9_999]).toBe('tcp://h9999:1');
    expect(sources['server.endpoint']?.[9_999]).toBe('/conf/a.conf:10001');
  });

  it.each<[string, string | Uint8Array, string]>([
    ['a line without an equals sign', 'endpoint tcp://a:1', `/conf/a.conf:1: "endpoint tcp://a:1": ${UNKNOWN_SHAPE}`],
    ['a line without a name', '[server]\n= tcp://a:1', `/conf/a.conf:2: "= ...": ${UNKNOWN_SHAPE}`],
    ['a name with a blank', '[server]\nend point = tcp://a:1', `/conf/a.conf:2: "end ...": ${UNKNOWN_SHAPE}`],
    ['a secret on a line of its own', '[server]\nhunter2\n', `/conf/a.conf:2: "...": ${UNKNOWN_SHAPE}`],
    ['a secret of two words', 'hunter2 and more\n', `/conf/a.conf:1: "...": ${UNKNOWN_SHAPE}`],
    ['a name of ours on a line of its own', '[server]\nendpoint\n', `/conf/a.conf:2: "endpoint": ${UNKNOWN_SHAPE}`],
    ['a section that is not closed', '[server\n', `/conf/a.conf:1: "[server": ${UNKNOWN_SHAPE}`],
    ['a section without a name', '[]\n', `/conf/a.conf:1: "[]": ${UNKNOWN_SHAPE}`],
    ['a section of an unknown edition', '\n[server:oem]\n', `/conf/a.conf:2: "[server:oem]": ${UNKNOWN_SHAPE}`],
    ['a comment behind a section', '[server] # here\n', `/conf/a.conf:1: "[server] ...": ${UNKNOWN_SHAPE}`],
    ['a section behind something', 'x[server]\n', `/conf/a.conf:1: "...": ${UNKNOWN_SHAPE}`],
    ['an include behind something', 'x @include a\n', `/conf/a.conf:1: "...": ${UNKNOWN_SHAPE}`],
    ['an include of two lines', '@include a\u2028b\n', `/conf/a.conf:1: "@include a\\u2028b": ${UNKNOWN_SHAPE}`],
    ['an include of nothing', '@include\n', `/conf/a.conf:1: "@include": ${UNKNOWN_SHAPE}`],
    ['a line of unknown shape in a skipped section', '[x:enterprise]\n??\n', `/conf/a.conf:2: "...": ${UNKNOWN_SHAPE}`],
    [
      'bytes that are not UTF-8',
      bytes('[server]\nendpoint = tcp://m', 0xfc, 'nchen:1\n'),
      `/conf/a.conf:2: "endpoint = tcp://m\uFFFDnchen:1": ${UNREADABLE}`,
    ],
    ['UTF-16', bytes(0xff, 0xfe, '[', 0, ']', 0), `/conf/a.conf:1: "...": ${UNREADABLE}`],
    ['a NUL', '[server]\nendpoint = tcp://a\0:1\n', `/conf/a.conf:2: "endpoint = tcp://a\\u0000:1": ${UNREADABLE}`],
    [
      'a line of more than 4,096 characters',
      `[server]\nendpoint = ${'a'.repeat(4086)}\n`,
      `/conf/a.conf:2: "endpoint = ${'a'.repeat(189)}...": the line is longer than 4096 characters`,
    ],
    ['a lone carriage return', '[server]\rendpoint = tcp://a:1\n', `/conf/a.conf:1: "[server] ...": ${UNREADABLE}`],
    [
      'an unknown key',
      '[server]\nendpont = tcp://a:1\n',
      '/conf/a.conf:2: "endpont": unknown option "server.endpont", did you mean server.endpoint? (see --help)',
    ],
    [
      'a key of an unknown section',
      '[sever]\nlevel = info\n',
      `/conf/a.conf:2: "level": unknown option "sever.level" (see --help)`,
    ],
    [
      'a key of ours in an unknown section',
      '[sever]\nendpoint = tcp://a:1\n',
      '/conf/a.conf:2: "endpoint": unknown option "sever.endpoint", did you mean server.endpoint? (see --help)',
    ],
    [
      'a key in the wrong section',
      '[server]\nkeyfile = /k.pem\n',
      `/conf/a.conf:2: "keyfile": unknown option "server.keyfile" (see --help)`,
    ],
    [
      'a misspelt key outside of every section',
      'my-rol = SINGLE\n',
      '/conf/a.conf:1: "my-rol": unknown option "my-rol", did you mean cluster.my-role? (see --help)',
    ],
    [
      'an option of the command line alone',
      'configuration = b.conf\n',
      `/conf/a.conf:1: "configuration": unknown option "configuration" (see --help)`,
    ],
    [
      'a comment behind a value',
      '[server]\nendpoint = tcp://a:1 # here\n',
      `/conf/a.conf:2: "endpoint = tcp://a:1 # here": "tcp://a:1 # here" is not an endpoint: it contains a blank or a control character; ${ALLOWED_SCHEMES}`,
    ],
    [
      'a unix socket in a list of Coordinators',
      '[cluster]\ncoordinator = unix:///tmp/s\n',
      `/conf/a.conf:2: "coordinator = unix:///tmp/s": "unix:///tmp/s" is not an endpoint: a cluster listing has no place for a unix socket; ${ALLOWED_SCHEMES}`,
    ],
    [
      'a wildcard address to register',
      '[cluster]\nmy-address = tcp://0.0.0.0:1\n',
      `/conf/a.conf:2: "my-address = tcp://0.0.0.0:1": "tcp://0.0.0.0:1" is not an endpoint: clients cannot connect to a wildcard address; ${ALLOWED_SCHEMES}`,
    ],
  ])('is refused for %s', (_, content, message) => expect(fileError(content).message).toBe(message));

  it('is refused when it has more than 100,000 lines', () => {
    expect(fileError('\n'.repeat(100_000)).message).toBe(
      '/conf/a.conf: cannot be read: the configuration has more than 100000 lines',
    );
    expect(loadFile('\n'.repeat(99_999)).endpoints).toEqual(['tcp://127.0.0.1:8529']);
  });

  it('is refused when it has more than 4 MiB', () => {
    const largest = Buffer.alloc(4 * 1024 * 1024, '#');
    expect(loadFile(largest).endpoints).toEqual(['tcp://127.0.0.1:8529']);
    expect(fileError(Buffer.concat([largest, largest])).message).toBe(
      '/conf/a.conf: cannot be read: the configuration has more than 4194304 bytes',
    );
  });

  it('is read to its end whatever size it says it has, as files of /proc do', () =>
    expect(() => loadServerOptions({ configFile: '/proc/self/status' })).toThrow(
      /^\d+ problems in the configuration:\n  \/proc\/self\/status:1: "Name \.\.\.": the line is none of/,
    ));

  it('is refused when it is a folder', () =>
    expect(loadError({ 'a.conf/b.conf': '' }, { configFile: 'a.conf' }).message).toBe(
      '/conf/a.conf: cannot be read: it is not a file',
    ));

  it('is refused, and not waited for, when it is a pipe', () =>
    inFolder({}, (cwd) => {
      execFileSync('mkfifo', [join(cwd, 'a.conf')]);
      expect(() => loadServerOptions({ cwd, configFile: 'a.conf' })).toThrow(
        'a.conf: cannot be read: it is not a file',
      );
    }));

  it('is refused when its name is a loop of links or no name at all', () =>
    inFolder({}, (cwd) => {
      symlinkSync('b.conf', join(cwd, 'a.conf'));
      symlinkSync('a.conf', join(cwd, 'b.conf'));
      expect(() => loadServerOptions({ cwd, configFile: 'a.conf' })).toThrow('too many symbolic links encountered');
      expect(() => loadServerOptions({ cwd, configFile: 'a\0.conf' })).toThrow(ConfigError);
    }));
});

describe('@include', () => {
  it.each<[string, Files, string[]]>([
    [
      'reads a file in the place of the line',
      {
        'a.conf': '[server]\nendpoint = tcp://a:1\n@include b.conf\nendpoint = tcp://c:1',
        'b.conf': '[server]\nendpoint = tcp://b:1',
      },
      ['tcp://a:1', 'tcp://b:1', 'tcp://c:1'],
    ],
    [
      'adds .conf to a name with another ending',
      { 'a.conf': '@include b.ini', 'b.ini.conf': 'server.endpoint = tcp://b:1' },
      ['tcp://b:1'],
    ],
    [
      'reads a name with blanks',
      { 'a.conf': '  @include \t b c.conf ', 'b c.conf': 'server.endpoint = tcp://b:1' },
      ['tcp://b:1'],
    ],
    [
      'takes a name from the including file',
      { 'a.conf': '@include etc/b', 'etc/b.conf': '@include c', 'etc/c.conf': 'server.endpoint = tcp://c:1' },
      ['tcp://c:1'],
    ],
    [
      'takes a name from the working folder first',
      {
        'a.conf': '@include etc/b',
        'etc/b.conf': '@include c',
        'etc/c.conf': 'server.endpoint = tcp://beside:1',
        'c.conf': 'server.endpoint = tcp://first:1',
      },
      ['tcp://first:1'],
    ],
    [
      'starts the included file outside of every section, and leaves the section as it was',
      {
        'a.conf': '[server]\n@include b\nendpoint = tcp://a:1',
        'b.conf': 'server.endpoint = tcp://b:1\n[ssl]\nkeyfile = /k.pem',
      },
      ['tcp://b:1', 'tcp://a:1'],
    ],
    [
      'reads a file that starts with a byte order mark',
      { 'a.conf': '@include b', 'b.conf': '\uFEFF[server]\r\nendpoint = tcp://b:1' },
      ['tcp://b:1'],
    ],
  ])('%s', (_, files, endpoints) => expect(load(files, { configFile: 'a.conf' }).endpoints).toEqual(endpoints));

  it('names the included file and its line as the source', () => {
    const files = { 'a.conf': '\n@include etc/b', 'etc/b.conf': '[server]\nendpoint = tcp://b:1' };
    expect(load(files, { configFile: 'a.conf' }).sources['server.endpoint']).toEqual(['/conf/etc/b.conf:2']);
  });

  it.each<[string, Files, string]>([
    [
      'a file that is not there',
      { 'etc/a.conf': '# first\n@include b' },
      '/conf/etc/a.conf:2: "@include b": cannot be read: ENOENT: no such file or directory',
    ],
    [
      'a file that includes this one',
      { 'etc/a.conf': '@include b', 'etc/b.conf': '\n@include a' },
      '/conf/etc/b.conf:2: "@include a": cannot be read: file already included',
    ],
    [
      'a file a second time',
      { 'etc/a.conf': '@include b\n@include ../etc/b.conf', 'etc/b.conf': '' },
      '/conf/etc/a.conf:2: "@include ../etc/b.conf": cannot be read: file already included',
    ],
    [
      'a file with a bad line',
      { 'etc/a.conf': '@include b', 'etc/b.conf': '\nbad' },
      `/conf/etc/b.conf:2: "...": ${UNKNOWN_SHAPE}`,
    ],
  ])('is refused for %s', (_, files, message) =>
    expect(loadError(files, { configFile: 'etc/a.conf' }).message).toBe(message),
  );

  it('is refused for a file that was read under the name of a link', () =>
    inFolder({ 'a.conf': '@include b\n', 'c.conf': '@include a\n' }, (cwd) => {
      symlinkSync('c.conf', join(cwd, 'b.conf'));
      expect(() => loadServerOptions({ cwd, configFile: 'a.conf' })).toThrow(
        'b.conf:1: "@include a": cannot be read: file already included',
      );
    }));

  it('goes 16 files deep', () => {
    const chain = (depth: number) =>
      Object.fromEntries(
        Array.from({ length: depth + 1 }, (_, index) => [
          `${String(index)}.conf`,
          index < depth ? `@include ${String(index + 1)}` : 'server.endpoint = tcp://deep:1',
        ]),
      );
    expect(load(chain(16), { configFile: '0.conf' }).endpoints).toEqual(['tcp://deep:1']);
    expect(loadError(chain(17), { configFile: '0.conf' }).message).toBe(
      '/conf/16.conf:1: "@include 17": includes are nested more than 16 deep',
    );
  });

  it('counts the lines and bytes of all files together', () => {
    const half = Buffer.alloc(2 * 1024 * 1024, '#');
    expect(
      loadError({ 'a.conf': bytes('@include b\n', half.toString()), 'b.conf': half }, { configFile: 'a.conf' }).message,
    ).toBe('/conf/a.conf:1: "@include b": cannot be read: the configuration has more than 4194304 bytes');
    const lines = '\n'.repeat(50_000);
    expect(loadError({ 'a.conf': `@include b${lines}`, 'b.conf': lines }, { configFile: 'a.conf' }).message).toBe(
      '/conf/a.conf:1: "@include b": cannot be read: the configuration has more than 100000 lines',
    );
  });
});
