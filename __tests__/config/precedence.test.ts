import { load, loadError, type Files } from '../support/process/config-folder.js';

const A = { 'a.conf': 'server.endpoint = tcp://a:1' };
const TWO = { ...A, 'b.conf': 'server.endpoint = tcp://b:1' };
const NONE = { none: 'server.endpoint = tcp://none:1', None: 'server.endpoint = tcp://none:1' };
const FILE = { 'a.conf': '[server]\nendpoint = tcp://file:1\n[ssl]\nkeyfile = /file.pem' };
const DEFAULT = { endpoints: ['tcp://127.0.0.1:8529'] };

describe('where a value comes from', () => {
  it.each<[string, Files, string[], object, configFile?: string]>([
    [
      'is the file of the program',
      { 'a.conf': '[server]\nendpoint = tcp://file:1\n\nendpoint = tcp://file:2' },
      [],
      {
        endpoints: ['tcp://file:1', 'tcp://file:2'],
        sources: { 'server.endpoint': ['/conf/a.conf:2', '/conf/a.conf:4'], 'cluster.my-role': ['default'] },
      },
    ],
    [
      'is the file of --configuration-defaults, below the file of --configuration',
      { ...A, 'defaults.conf': '[server]\nendpoint = tcp://b:1\n[log]\nlevel = debug' },
      ['--configuration-defaults', 'defaults.conf', '--configuration', 'a.conf'],
      { endpoints: ['tcp://a:1'], logLevel: 'debug' },
      'none',
    ],
    [
      'is the file of the last --configuration before it',
      TWO,
      ['--configuration', 'a.conf', '--configuration=b.conf'],
      { endpoints: ['tcp://b:1'] },
    ],
    ['is no file with --configuration none', { ...A, ...NONE }, ['--configuration', 'none'], DEFAULT],
    ['is no file with NONE in any letter case', NONE, [], DEFAULT, 'None'],
    [
      'is the file for each option that the command line does not give',
      FILE,
      ['--ssl.keyfile', '/line.pem'],
      {
        endpoints: ['tcp://file:1'],
        ssl: { keyfile: '/line.pem' },
        sources: { 'server.endpoint': ['/conf/a.conf:2'], 'ssl.keyfile': ['command line'] },
      },
    ],
    [
      'is <file>.local before the file',
      { ...FILE, 'a.conf.local': '[server]\nendpoint = tcp://local:1' },
      [],
      {
        endpoints: ['tcp://local:1'],
        ssl: { keyfile: '/file.pem' },
        sources: { 'server.endpoint': ['/conf/a.conf.local:2'], 'ssl.keyfile': ['/conf/a.conf:4'] },
      },
    ],
    [
      'is the command line before <file>.local',
      { 'a.conf': '', 'a.conf.local': 'server.endpoint = tcp://local:1' },
      ['--server.endpoint=tcp://line:1', '--configuration=a.conf'],
      { endpoints: ['tcp://line:1'] },
    ],
    [
      'may be a file that both <file>.local and the file include',
      {
        'a.conf': '@include common\n[ssl]\nkeyfile = /file.pem',
        'a.conf.local': '@include common',
        'common.conf': 'server.endpoint = tcp://common:1',
      },
      [],
      { endpoints: ['tcp://common:1'], ssl: { keyfile: '/file.pem' } },
    ],
    [
      'is the first of two lines that give the same endpoint',
      { 'a.conf': '[server]\nendpoint = tcp://a\nendpoint = tcp://b\nendpoint = http://A:8529/' },
      [],
      {
        endpoints: ['tcp://a:8529', 'tcp://b:8529'],
        sources: { 'server.endpoint': ['/conf/a.conf:2', '/conf/a.conf:3'] },
      },
    ],
    [
      'is the last of two lines that give an option with one value',
      { 'a.conf': '@include base\n[ssl]\nkeyfile = /own.pem', 'base.conf': 'ssl.keyfile = /base.pem' },
      [],
      { ssl: { keyfile: '/own.pem' }, sources: { 'server.endpoint': ['default'], 'ssl.keyfile': ['/conf/a.conf:3'] } },
    ],
  ])('%s', (_, files, args, expected, configFile = 'a.conf') =>
    expect(load(files, { args, configFile })).toMatchObject(expected),
  );

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
