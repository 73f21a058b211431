import type { RequestListener } from 'node:http';
import { EndpointSyntaxError } from '../../../lib/index.js';
import type { ListenOptions, listenOn } from '../../../lib/server/listen/index.js';
import { useListenOn } from '../../support/listen-until-done.js';

const listen = useListenOn();
const hello: RequestListener = (_req, res) => {
  res.end('hello');
};
const ANY = ['tcp://127.0.0.1:0'];
const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
const PEM = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';

/** Calls `listenOn` as JavaScript may. */
const call = listen as (...args: unknown[]) => ReturnType<typeof listenOn>;

describe('The handler must be a function', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['object', {}],
    ['"app"', 'app'],
  ])('not %s', async (kind, handler) => {
    await expect(call(handler, ANY)).rejects.toEqual(new TypeError(`handler must be a function, not ${kind}`));
  });
});

describe('The endpoints must be an array of endpoint descriptions, at least one', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['object', new Set(ANY)],
    ['"tcp://127.0.0.1:0"', 'tcp://127.0.0.1:0'],
  ])('not %s', async (kind, endpoints) => {
    await expect(call(hello, endpoints)).rejects.toEqual(
      new TypeError(`endpoints must be an array of strings, not ${kind}`),
    );
  });

  it('not an empty array', async () => {
    await expect(call(hello, [])).rejects.toEqual(new TypeError('endpoints must hold at least one endpoint, not none'));
  });

  it('a bad one is refused with the error of parseEndpoint', async () => {
    const error: unknown = await call(hello, ['tcp://127.0.0.1:0', 'tpc://127.0.0.1']).catch((e: unknown) => e);

    expect(error).toBeInstanceOf(EndpointSyntaxError);
    expect((error as Error).message).toBe(
      `"tpc://127.0.0.1" is not an endpoint: its scheme is unknown; allowed schemes: ${SCHEMES}`,
    );
  });

  it('several bad ones are all named at once', async () => {
    const error: unknown = await call(hello, ['tpc://127.0.0.1', 'tcp://127.0.0.1:0', 7]).catch((e: unknown) => e);

    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).message).toBe(
      `"tpc://127.0.0.1" is not an endpoint: its scheme is unknown; allowed schemes: ${SCHEMES}\n` +
        `number is not an endpoint: it is not a string; allowed schemes: ${SCHEMES}`,
    );
    expect((error as AggregateError).errors).toEqual([
      expect.any(EndpointSyntaxError),
      expect.any(EndpointSyntaxError),
    ]);
  });

  it.each([
    ['tcp://127.0.0.1:00', 'the port is outside 1 to 65535'],
    ['tcp://127.0.0.1:80:0', 'an IPv6 address must stand in brackets'],
    ['tcp://::0', 'an IPv6 address must stand in brackets'],
    ['tcp://:0', 'the host is empty'],
    ['tcp://[::1:0', 'its bracket is not closed'],
    ['tcp://[::1]:1:0', 'the port is not a decimal number'],
    ['tcp://127.0.0.1:0/x', 'it has a path, a query or a fragment'],
    ['tcp://127.0.0.1:0//', 'it has a path, a query or a fragment'],
    ['tcp://u:p@127.0.0.1:0', 'it carries a user or a password'],
    ['tpc://127.0.0.1:0', 'its scheme is unknown'],
    ['127.0.0.1:0', 'it has no "<scheme>://"'],
    ['unix://x:0', 'the socket path is not absolute'],
    [`unix:///${'x'.repeat(107)}`, 'the socket path is longer than 107 bytes'],
  ])('port 0 opens no way around the rules: %s', async (text, reason) => {
    await expect(call(hello, [text])).rejects.toMatchObject({ name: 'EndpointSyntaxError', reason });
  });
});

describe('The options are checked before anything is bound', () => {
  it.each<[string, unknown]>([
    ['options must be an object, not null', null],
    ['options must be an object, not a string', PEM],
    ['port is not an option; the options are ssl, signal, closeTimeout', { port: 1 }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not undefined', { closeTimeout: undefined }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not NaN', { closeTimeout: NaN }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not -1', { closeTimeout: -1 }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not -Infinity', { closeTimeout: -Infinity }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not 2147483648', { closeTimeout: 2_147_483_648 }],
    ['closeTimeout must be 0 to 2147483647 ms, or Infinity, not "10"', { closeTimeout: '10' }],
    ['signal must be an AbortSignal, not undefined', { signal: undefined }],
    ['signal must be an AbortSignal, not object', { signal: new AbortController() }],
    ['ssl must be an object with a keyfile, or with key and cert, not undefined', { ssl: undefined }],
    ['ssl must be an object with a keyfile, or with key and cert, not null', { ssl: null }],
    ['ssl must be an object with a keyfile, or with key and cert, not a string', { ssl: PEM }],
    ['ssl must be an object with a keyfile, or with key and cert; it has no key and no cert', { ssl: {} }],
    ['ssl must be an object with a keyfile, or with key and cert; it has no cert', { ssl: { key: PEM } }],
    ['ssl must be an object with a keyfile, or with key and cert; it has no key', { ssl: { cert: PEM } }],
    ['ssl must be an object with a keyfile, or with key and cert, not with both', { ssl: { keyfile: '/k', key: PEM } }],
    [
      'ssl must be an object with a keyfile, or with key and cert, not with both',
      { ssl: { keyfile: '/k', cert: PEM } },
    ],
    ['ssl.keyfile must be the path of a PEM file, not undefined', { ssl: { keyfile: undefined } }],
    ['ssl.keyfile must be the path of a PEM file, not object', { ssl: { keyfile: Buffer.from(PEM) } }],
    ['ssl.keyfile must be the path of a PEM file, not an empty string', { ssl: { keyfile: '' } }],
    ['ssl.keyfile must be the path of a PEM file, not its text', { ssl: { keyfile: PEM } }],
  ])('%s', async (message, options) => {
    await expect(call(hello, ANY, options)).rejects.toEqual(new TypeError(message));
  });

  it.each<[string, ListenOptions]>([
    ['0', { closeTimeout: 0 }],
    ['2147483647', { closeTimeout: 2_147_483_647 }],
    ['Infinity', { closeTimeout: Infinity }],
  ])('closeTimeout may be %s', async (_text, options) => {
    const { close } = await listen(hello, ANY, options);
    await expect(close()).resolves.toBeUndefined();
  });

  it('the options are left as they are, and may be frozen or without prototype', async () => {
    const options = Object.freeze(Object.assign(Object.create(null) as object, { closeTimeout: 1 }));
    const endpoints = Object.freeze(['tcp://127.0.0.1:0']);

    expect((await call(hello, endpoints, options)).servers).toHaveLength(1);
    expect(endpoints).toEqual(['tcp://127.0.0.1:0']);
  });
});
