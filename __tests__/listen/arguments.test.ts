import { EndpointSyntaxError } from '../../lib/index.js';
import type { listenOn } from '../../lib/listen/index.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';

const listen = useListenOn();
const ANY = ['tcp://127.0.0.1:0'];
const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
const PEM = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';

/** Calls `listenOn` as JavaScript may. */
const call = listen as (...args: unknown[]) => ReturnType<typeof listenOn>;

describe('The handler must be a function, and the endpoints an array of endpoint descriptions, at least one', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['object', new Set(ANY)],
    ['"tcp://127.0.0.1:0"', 'tcp://127.0.0.1:0'],
  ])('not %s', async (kind, given) => {
    await expect(call(given, ANY)).rejects.toEqual(new TypeError(`handler must be a function, got ${kind}`));
    await expect(call(hello, given)).rejects.toEqual(
      new TypeError(`listenOn: endpoints must be an array of endpoints, got ${kind}`),
    );
  });

  it('not an empty array', async () => {
    await expect(call(hello, [])).rejects.toEqual(
      new TypeError('listenOn: endpoints must be an array of at least one endpoint, got an empty one'),
    );
  });

  it('bad ones are all named at once, with what parseEndpoint says', async () => {
    const error: unknown = await call(hello, [
      'tpc://127.0.0.1',
      'tcp://127.0.0.1:0',
      { toString: () => 'tcp://127.0.0.1:0' },
    ]).catch((e: unknown) => e);

    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe(
      `listenOn: endpoints:\n  "tpc://127.0.0.1" is not an endpoint: its scheme is unknown; allowed schemes: ${SCHEMES}\n` +
        `  object is not an endpoint: it is not a string; allowed schemes: ${SCHEMES}`,
    );
    const { errors } = (error as Error).cause as AggregateError;
    expect(errors).toEqual([expect.any(EndpointSyntaxError), expect.any(EndpointSyntaxError)]);
  });

  it.each([
    ['tcp://127.0.0.1:00', 'the port is outside 1 to 65535'],
    ['tcp://127.0.0.1:80:0', 'an IPv6 address must stand in brackets'],
    ['tcp://::0', 'an IPv6 address must stand in brackets'],
    ['tcp://:0', 'the host is empty'],
    ['tcp://[::1:0', 'its bracket is not closed'],
    ['tcp://[::1]:1:0', 'the port is not a decimal number'],
    ['tcp://127.0.0.1:0/x', 'it has a path, a query or a fragment'],
    ['tcp://***@127.0.0.1:0', 'it carries a user or a password'],
    ['/tcp://127.0.0.1:0', 'its scheme is unknown'],
    ['127.0.0.1:0', 'it has no "<scheme>://"'],
    ['unix://x:0', 'the socket path is not absolute'],
    [`unix:///${'x'.repeat(105)}:0`, 'the socket path is longer than 107 bytes'],
  ])('port 0 opens no way around the rules: %s', async (text, reason) => {
    await expect(call(hello, [text])).rejects.toMatchObject({
      name: 'TypeError',
      message: `listenOn: endpoints: "${text}" is not an endpoint: ${reason}; allowed schemes: ${SCHEMES}`,
    });
  });
});

describe('The options are checked before anything is bound', () => {
  const ssl = 'option ssl must be an object with the path of a keyfile, or with key and cert, got';
  const beside = `${ssl} keyfile beside key or cert`;

  it.each<[string, unknown]>([
    ['unknown option "port"; allowed: ssl, signal, closeTimeoutMs, keepAliveTimeout', { port: 1 }],
    ['option closeTimeoutMs must be milliseconds from 0 to 2147483647, or Infinity, got -1', { closeTimeoutMs: -1 }],
    ['option keepAliveTimeout must be milliseconds from 1 to 2147483647, or Infinity, got 0', { keepAliveTimeout: 0 }],
    ['option signal must be an AbortSignal, got object', { signal: new AbortController() }],
    [`${ssl} a string`, { ssl: PEM }],
    [`${ssl} neither`, { ssl: {} }],
    [`${ssl} key without cert`, { ssl: { key: PEM } }],
    [`${ssl} cert without key`, { ssl: { cert: PEM } }],
    [beside, { ssl: { keyfile: '/k', key: PEM } }],
    [beside, { ssl: { keyfile: '/k', cert: PEM } }],
    [`${ssl} object as keyfile`, { ssl: { keyfile: Buffer.from(PEM) } }],
    [`${ssl} an empty keyfile`, { ssl: { keyfile: '' } }],
    [`${ssl} the text of a keyfile`, { ssl: { keyfile: PEM } }],
  ])('%s', async (message, options) => {
    await expect(call(hello, ANY, options)).rejects.toEqual(new TypeError(`listenOn: ${message}`));
  });

  it.each([0, 2_147_483_647, Infinity])('closeTimeoutMs may be %d', async (closeTimeoutMs) => {
    const { close } = await listen(hello, ANY, { closeTimeoutMs });
    await expect(close()).resolves.toBeUndefined();
  });
});
