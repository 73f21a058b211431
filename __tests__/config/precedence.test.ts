import type { ServerOptions } from '../../lib/config/index.js';
import { load, loadError, type Files } from '../support/process/config-folder.js';

interface Case {
  readonly files: Files;
  readonly args?: string[];
  readonly configFile?: string;
  readonly expected: Partial<ServerOptions>;
}

describe('where a value comes from', () => {
  it.each<[string, Case]>([
    [
      'is the file of the program',
      {
        files: { 'a.conf': '[server]\nendpoint = tcp://file:1\n\nendpoint = tcp://file:2' },
        configFile: 'a.conf',
        expected: {
          endpoints: ['tcp://file:1', 'tcp://file:2'],
          sources: { 'server.endpoint': ['/conf/a.conf:2', '/conf/a.conf:4'], 'cluster.my-role': ['default'] },
        },
      },
    ],
    [
      'is the file that --configuration names, rather than that of the program',
      {
        files: { 'a.conf': 'server.endpoint = tcp://a:1', 'b.conf': 'server.endpoint = tcp://b:1' },
        configFile: 'a.conf',
        args: ['--configuration', 'b.conf'],
        expected: { endpoints: ['tcp://b:1'] },
      },
    ],
    [
      'is the file of --configuration-defaults, below the file of --configuration',
      {
        files: {
          'a.conf': '[server]\nendpoint = tcp://a:1',
          'defaults.conf': '[server]\nendpoint = tcp://b:1\n[log]\nlevel = debug',
        },
        args: ['--configuration-defaults', 'defaults.conf', '--configuration', 'a.conf'],
        expected: { endpoints: ['tcp://a:1'], logLevel: 'debug' },
      },
    ],
    [
      'is the last --configuration',
      {
        files: { 'a.conf': 'server.endpoint = tcp://a:1', 'b.conf': 'server.endpoint = tcp://b:1' },
        args: ['--configuration', 'a.conf', '--configuration=b.conf'],
        expected: { endpoints: ['tcp://b:1'] },
      },
    ],
    [
      'is no file with --configuration none',
      {
        files: { 'a.conf': 'server.endpoint = tcp://a:1', none: 'server.endpoint = tcp://none:1' },
        configFile: 'a.conf',
        args: ['--configuration', 'none'],
        expected: { endpoints: ['tcp://127.0.0.1:8529'] },
      },
    ],
    [
      'is no file with NONE in any letter case',
      {
        files: { None: 'server.endpoint = tcp://none:1' },
        configFile: 'None',
        expected: { endpoints: ['tcp://127.0.0.1:8529'] },
      },
    ],
    [
      'is the file for each option that the command line does not give',
      {
        files: { 'a.conf': '[server]\nendpoint = tcp://file:1\n[ssl]\nkeyfile = /file.pem' },
        configFile: 'a.conf',
        args: ['--ssl.keyfile', '/line.pem'],
        expected: {
          endpoints: ['tcp://file:1'],
          ssl: { keyfile: '/line.pem' },
          sources: {
            'server.endpoint': ['/conf/a.conf:2'],
            'cluster.my-role': ['default'],
            'ssl.keyfile': ['command line'],
          },
        },
      },
    ],
    [
      'is <file>.local before the file',
      {
        files: {
          'a.conf': '[server]\nendpoint = tcp://file:1\n[ssl]\nkeyfile = /file.pem',
          'a.conf.local': '[server]\nendpoint = tcp://local:1',
        },
        configFile: 'a.conf',
        expected: {
          endpoints: ['tcp://local:1'],
          ssl: { keyfile: '/file.pem' },
          sources: {
            'server.endpoint': ['/conf/a.conf.local:2'],
            'cluster.my-role': ['default'],
            'ssl.keyfile': ['/conf/a.conf:4'],
          },
        },
      },
    ],
    [
      'is the command line before <file>.local',
      {
        files: { 'a.conf': '', 'a.conf.local': 'server.endpoint = tcp://local:1' },
        args: ['--server.endpoint=tcp://line:1', '--configuration=a.conf'],
        expected: { endpoints: ['tcp://line:1'] },
      },
    ],
    [
      'may be a file that both <file>.local and the file include',
      {
        files: {
          'a.conf': '@include common\n[ssl]\nkeyfile = /file.pem',
          'a.conf.local': '@include common',
          'common.conf': 'server.endpoint = tcp://common:1',
        },
        configFile: 'a.conf',
        expected: { endpoints: ['tcp://common:1'], ssl: { keyfile: '/file.pem' } },
      },
    ],
    [
      'is the first of two lines that give the same endpoint',
      {
        files: { 'a.conf': '[server]\nendpoint = tcp://a\nendpoint = tcp://b\nendpoint = http://A:8529/' },
        configFile: 'a.conf',
        expected: {
          endpoints: ['tcp://a:8529', 'tcp://b:8529'],
          sources: { 'server.endpoint': ['/conf/a.conf:2', '/conf/a.conf:3'], 'cluster.my-role': ['default'] },
        },
      },
    ],
    [
      'is the last of two lines that give an option with one value',
      {
        files: { 'a.conf': '@include base\n[ssl]\nkeyfile = /own.pem', 'base.conf': 'ssl.keyfile = /base.pem' },
        configFile: 'a.conf',
        expected: {
          ssl: { keyfile: '/own.pem' },
          sources: {
            'server.endpoint': ['default'],
            'cluster.my-role': ['default'],
            'ssl.keyfile': ['/conf/a.conf:3'],
          },
        },
      },
    ],
  ])('%s', (_, { files, args = [], configFile = 'none', expected }) => {
    expect(load(files, { args, configFile })).toMatchObject(expected);
    if (expected.sources !== undefined) expect(load(files, { args, configFile }).sources).toEqual(expected.sources);
  });

  it('reports the bad endpoints of all sources at once, also of those that are replaced', () => {
    const files = {
      'a.conf': '[server]\nendpoint = tcp://file:65536\n@include b\n',
      'a.conf.local': '\nserver.endpoint = tcp://local:65536\n',
      'b.conf': '[server]\nendpoint = tcp://ok:1\nendpoint = tcp://include:65536\n',
    };
    const args = ['--server.endpoint', 'tcp://line:65536', '--server.endpoint=tcp://ok:1', '--configuration', 'a.conf'];
    const { problems } = loadError(files, { args });
    expect(problems.map(({ file = 'command line', line, text }) => [file, line, text])).toEqual([
      ['command line', undefined, '"--server.endpoint tcp://line:65536"'],
      ['/conf/a.conf.local', 2, '"server.endpoint = tcp://local:65536"'],
      ['/conf/a.conf', 2, '"endpoint = tcp://file:65536"'],
      ['/conf/b.conf', 3, '"endpoint = tcp://include:65536"'],
    ]);
  });
});
