import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadServerOptions, type LoadOptions } from '../../lib/config/index.js';
import { inFolder } from '../support/process/config-folder.js';

describe('loadServerOptions', () => {
  it('may be called without anything', () =>
    expect(loadServerOptions()).toStrictEqual({
      endpoints: ['tcp://127.0.0.1:8529'],
      role: 'single',
      agencyEndpoints: [],
      horizons: [],
      trustedProxies: [],
      coordinators: [],
      dnsServers: [],
      upstreams: [],
      translations: [],
      healthCheckAllow: [],
      statusEndpoints: [],
      sources: { 'server.endpoint': ['default'], 'cluster.my-role': ['default'] },
      ignored: [],
      help: false,
      version: false,
    }));

  it('gives frozen values', () => {
    const args = ['--server.endpoint=tcp://a:1', '--ssl.keyfile=/k.pem'];
    const loaded = loadServerOptions({ args });
    const parts = [
      loaded,
      loaded.endpoints,
      loaded.coordinators,
      loaded.agencyEndpoints,
      loaded.ssl,
      loaded.sources,
      loaded.ignored,
    ];
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

  it('reads the file again when it is called again, and changes no earlier result', () =>
    inFolder({ 'a.conf': 'server.endpoint = tcp://first:1' }, (cwd) => {
      const first = loadServerOptions({ configFile: 'a.conf', cwd });
      writeFileSync(join(cwd, 'a.conf'), 'server.endpoint = tcp://second:1');
      const second = loadServerOptions({ configFile: 'a.conf', cwd });
      expect([first.endpoints, second.endpoints]).toEqual([['tcp://first:1'], ['tcp://second:1']]);
    }));

  it('names no source for options that belong to the command line alone', () => {
    const { sources } = loadServerOptions({ args: ['--configuration', 'none'] });
    expect(sources).toEqual({ 'server.endpoint': ['default'], 'cluster.my-role': ['default'] });
  });

  it('lets an error of the environment that it is given through', () => {
    const fail = (): never => {
      throw new Error('not to be read');
    };
    const env = new Proxy({}, { getOwnPropertyDescriptor: fail });
    expect(() => loadServerOptions({ args: ['--ssl.keyfile=@A@'], env })).toThrow('not to be read');
  });

  it('closes the files that it reads', () =>
    inFolder({ 'a.conf': 'server.endpoint = tcp://a:1' }, (cwd) => {
      const before = readdirSync('/dev/fd').length;
      for (let count = 0; count < 20; count += 1) loadServerOptions({ configFile: 'a.conf', cwd });
      expect(readdirSync('/dev/fd')).toHaveLength(before);
    }));

  it('takes an absolute file name', () =>
    inFolder({ 'a.conf': 'server.endpoint = tcp://a:1' }, (folder) =>
      expect(loadServerOptions({ configFile: `${folder}/a.conf`, cwd: '/' }).endpoints).toEqual(['tcp://a:1']),
    ));

  it('starts relative names at the working folder of the process', () =>
    expect(loadServerOptions({ args: ['--ssl.keyfile=k.pem'] }).ssl).toEqual({ keyfile: `${process.cwd()}/k.pem` }));

  it.each<[unknown, string]>([
    ['--help', 'the options must be a plain object, got a string'],
    [{ file: 'a.conf' }, 'unknown option "file"; allowed: args, configFile, env, cwd'],
    [{ args: '--server.jwt-secret=s3cr3t' }, 'option args must be an array of strings, got a string'],
    [{ args: new Set() }, 'option args must be an array of strings, got object'],
    [{ args: ['--help', 1] }, 'option args must be an array of strings, got an array'],
    [{ configFile: '' }, 'option configFile must be a file name, got ""'],
    [{ env: null }, 'option env must be an object, as process.env, got null'],
    [{ env: 'A=1' }, 'option env must be an object, as process.env, got a string'],
    [{ cwd: '' }, 'option cwd must be the name of a folder, got ""'],
    [{ cwd: -1 }, 'option cwd must be the name of a folder, got -1'],
    [{ cwd: Symbol('a') }, 'option cwd must be the name of a folder, got Symbol(a)'],
  ])('refuses %p', (options, message) =>
    expect(() => loadServerOptions(options as LoadOptions)).toThrow(new TypeError(`loadServerOptions: ${message}`)),
  );
});
