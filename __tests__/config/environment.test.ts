import { loadServerOptions } from '../../lib/config/index.js';
import { ALLOWED_SCHEMES, fileError, load, loadError, loadFile } from '../support/process/config-folder.js';

describe('@NAME@ in a value', () => {
  const endpoints = (value: string, env: Record<string, string | undefined>) =>
    loadFile(`[server]\nendpoint = ${value}\n`, { env }).endpoints;

  it.each<[string, string, Record<string, string | undefined>, string]>([
    ['is the whole value', '@ENDPOINT@', { ENDPOINT: 'tcp://a:1' }, 'tcp://a:1'],
    ['is a part of it', 'tcp://@HOST@:1', { HOST: 'a' }, 'tcp://a:1'],
    ['stands twice', 'tcp://@HOST@:@PORT@', { HOST: 'a', PORT: '1' }, 'tcp://a:1'],
    ['stands beside itself', 'tcp://@A@@A@:1', { A: 'b' }, 'tcp://bb:1'],
    ['has small letters, digits and underscores', 'tcp://@_my_host2@:1', { _my_host2: 'a' }, 'tcp://a:1'],
    ['stands behind the @ of http@tcp', 'http@tcp://@HOST@:1', { HOST: 'a' }, 'tcp://a:1'],
    ['becomes empty text where it is not set', 'tcp://a@SUFFIX@:1', {}, 'tcp://a:1'],
    ['becomes empty text where it is empty', 'tcp://a@SUFFIX@:1', { SUFFIX: '' }, 'tcp://a:1'],
    ['becomes empty text where it is undefined', 'tcp://a@SUFFIX@:1', { SUFFIX: undefined }, 'tcp://a:1'],
    ['is not set by what every object has', 'tcp://a@constructor@:1', {}, 'tcp://a:1'],
    ['stands in the path of a socket', 'unix:///run/@NAME@.sock', { NAME: 'e' }, 'unix:///run/e.sock'],
  ])('%s', (_, value, env, endpoint) => expect(endpoints(value, env)).toEqual([endpoint]));

  it('is not looked for in what a variable holds', () => {
    const options = { args: ['--ssl.keyfile', '@A@'], env: { A: '/@B@', B: 'c' } };
    expect(load({}, options).ssl).toEqual({ keyfile: '/@B@' });
  });

  it('is filled in on the command line too', () => {
    const options = { args: ['--server.endpoint=tcp://@HOST@:1', '--ssl.keyfile', '/@HOST@.pem'], env: { HOST: 'a' } };
    expect(load({}, options)).toMatchObject({ endpoints: ['tcp://a:1'], ssl: { keyfile: '/a.pem' } });
  });

  it('is filled in in the name of the configuration file', () => {
    const options = { args: ['--configuration', '@NAME@.conf'], env: { NAME: 'a' } };
    expect(load({ 'a.conf': 'server.endpoint = tcp://a:1' }, options).endpoints).toEqual(['tcp://a:1']);
  });

  it('comes from process.env unless another environment is given', () => {
    process.env['LISTING_TEST_HOST'] = 'a';
    try {
      const { endpoints } = loadServerOptions({ args: ['--server.endpoint=tcp://@LISTING_TEST_HOST@:1'] });
      expect(endpoints).toEqual(['tcp://a:1']);
    } finally {
      delete process.env['LISTING_TEST_HOST'];
    }
  });

  it.each<[string, string, string]>([
    ['@@ is one @', '/a@@b.pem', '/a@b.pem'],
    ['@@@@ are two', '/a@@@@b.pem', '/a@@b.pem'],
    ['a single @ stays', '/a@b.pem', '/a@b.pem'],
    ['what is no name between two @ stays', '/a@b c@d.pem', '/a@b c@d.pem'],
    ['a number between two @ stays', '/a@1@.pem', '/a@1@.pem'],
    ['${NAME} stays', '/${HOME}.pem', '/${HOME}.pem'],
  ])('%s', (_, value, keyfile) => expect(loadFile(`[ssl]\nkeyfile = ${value}\n`).ssl).toEqual({ keyfile }));

  it.each<[string, string, string]>([
    [
      'leaves nothing',
      '@HOST@',
      '/conf/a.conf:2: "endpoint = @HOST@": the value is empty; not set in the environment: HOST',
    ],
    [
      'that stands twice leaves no host',
      'tcp://@HOST@.@HOST@:1',
      '/conf/a.conf:2: "endpoint = tcp://@HOST@.@HOST@:1": the value is refused: the host is neither a host name nor a dotted IPv4 address; not set in the environment: HOST',
    ],
    [
      'leaves no host and no port',
      'tcp://@HOST@:@PORT@',
      '/conf/a.conf:2: "endpoint = tcp://@HOST@:@PORT@": the value is refused: the host is empty; not set in the environment: HOST, PORT',
    ],
  ])('is refused where an unset one %s', (_, value, message) =>
    expect(fileError(`[server]\nendpoint = ${value}\n`).message).toBe(message),
  );

  it('is refused without the name of an unset one that stands where a password may stand', () =>
    expect(loadError({}, { args: ['--server.endpoint', 'tcp://root:@PASSWORD@@h:1'] }).message).toBe(
      'command line: "--server.endpoint tcp://***@h:1": the value is refused: it carries a user or a password; not set in the environment: ***',
    ));

  it('is refused where an unset one leaves no role', () =>
    expect(loadError({}, { args: ['--cluster.my-role', '@ROLE@x'] }).message).toBe(
      'command line: "--cluster.my-role @ROLE@x": the value is refused: it is none of SINGLE, COORDINATOR, DBSERVER, PRIMARY, AGENT; not set in the environment: ROLE',
    ));

  it('is refused with what it became where that is bad', () =>
    expect(loadError({}, { args: ['--server.endpoint', 'tcp://@HOST@'], env: { HOST: 'a b' } }).message).toBe(
      `command line: "--server.endpoint tcp://@HOST@": "tcp://a b" is not an endpoint: it contains a blank or a control character; ${ALLOWED_SCHEMES}`,
    ));
});
