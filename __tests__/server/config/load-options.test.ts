import { loadServerOptions, type LoadOptions } from '../../../lib/server/config/index.js';
import { inFolder, load } from '../../support/config-folder.js';

describe('loadServerOptions', () => {
  it('may be called without anything', () => {
    expect(loadServerOptions()).toEqual({
      endpoints: ['tcp://127.0.0.1:8529'],
      role: 'single',
      agencyEndpoints: [],
      coordinators: [],
      sources: { 'server.endpoint': ['default'], 'cluster.my-role': ['default'] },
      help: false,
      version: false,
    });
  });

  it('gives frozen values', () => {
    const args = ['--server.endpoint=tcp://a:1', '--ssl.keyfile=/k.pem'];
    const loaded = loadServerOptions({ args });
    const parts = [loaded, loaded.endpoints, loaded.coordinators, loaded.agencyEndpoints, loaded.ssl, loaded.sources];
    expect(parts.every(Object.isFrozen)).toBe(true);
    expect(Object.values(loaded.sources).every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(loadServerOptions().endpoints)).toBe(true);
  });

  it('takes frozen options, and leaves them as they are', () => {
    const args = Object.freeze(['--server.endpoint', 'tcp://a:1']);
    const options = Object.freeze({ args, env: Object.freeze({}) });
    expect(loadServerOptions(options).endpoints).toEqual(['tcp://a:1']);
    expect(args).toEqual(['--server.endpoint', 'tcp://a:1']);
  });

  it('takes options without a prototype', () => {
    const options = Object.assign(Object.create(null) as LoadOptions, { args: ['--server.endpoint=tcp://a:1'] });
    expect(loadServerOptions(options).endpoints).toEqual(['tcp://a:1']);
  });

  it('reads the file again when it is called again', () => {
    const first = load({ 'a.conf': 'server.endpoint = tcp://first:1' }, { configFile: 'a.conf' });
    const second = load({ 'a.conf': 'server.endpoint = tcp://second:1' }, { configFile: 'a.conf' });
    expect([first.endpoints, second.endpoints]).toEqual([['tcp://first:1'], ['tcp://second:1']]);
  });

  it('takes an absolute file name', () => {
    inFolder({ 'a.conf': 'server.endpoint = tcp://a:1' }, (folder) => {
      expect(loadServerOptions({ configFile: `${folder}/a.conf`, cwd: '/' }).endpoints).toEqual(['tcp://a:1']);
    });
  });

  it('starts relative names at the working folder of the process', () => {
    expect(loadServerOptions({ args: ['--ssl.keyfile=k.pem'] }).ssl).toEqual({ keyfile: `${process.cwd()}/k.pem` });
  });

  it.each<[unknown, string]>([
    [null, 'options is null; allowed is an object'],
    ['--help', 'options is "--help"; allowed is an object'],
    [['--help'], 'options is an array; allowed is an object'],
    [7, 'options is 7; allowed is an object'],
    [{ file: 'a.conf' }, 'unknown option "file"; allowed are args, configFile, env, cwd'],
    [JSON.parse('{"__proto__":1}'), 'unknown option "__proto__"; allowed are args, configFile, env, cwd'],
    [{ args: undefined }, 'options.args is undefined; allowed is an array of strings'],
    [{ args: '--help' }, 'options.args is "--help"; allowed is an array of strings'],
    [{ args: new Set() }, 'options.args is object; allowed is an array of strings'],
    [{ args: ['--help', 1] }, 'options.args is an array; allowed is an array of strings'],
    [{ configFile: undefined }, 'options.configFile is undefined; allowed is a file name'],
    [{ configFile: '' }, 'options.configFile is ""; allowed is a file name'],
    [{ configFile: NaN }, 'options.configFile is NaN; allowed is a file name'],
    [{ configFile: null }, 'options.configFile is null; allowed is a file name'],
    [{ env: undefined }, 'options.env is undefined; allowed is an object, as process.env'],
    [{ env: null }, 'options.env is null; allowed is an object, as process.env'],
    [{ env: 'A=1' }, 'options.env is "A=1"; allowed is an object, as process.env'],
    [{ cwd: undefined }, 'options.cwd is undefined; allowed is the name of a folder'],
    [{ cwd: '' }, 'options.cwd is ""; allowed is the name of a folder'],
    [{ cwd: -1 }, 'options.cwd is -1; allowed is the name of a folder'],
    [{ cwd: Infinity }, 'options.cwd is Infinity; allowed is the name of a folder'],
    [{ cwd: () => '/' }, 'options.cwd is function; allowed is the name of a folder'],
  ])('refuses %p', (options, message) => {
    expect(() => loadServerOptions(options as LoadOptions)).toThrow(new TypeError(message));
  });
});
