import fc from 'fast-check';
import { EndpointSyntaxError, parseEndpoint } from '../../lib/index.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

function messageFor(value: unknown): string {
  try {
    parseEndpoint(value as string);
  } catch (error) {
    if (error instanceof EndpointSyntaxError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('The error for a bad endpoint description', () => {
  it('names the text, the reason and the allowed schemes', () =>
    expect(messageFor('tcp://h:0')).toBe(
      `"tcp://h:0" is not an endpoint: the port is outside 1 to 65535; allowed schemes: ${SCHEMES}`,
    ));

  it('is an Error of its own name, and gives the reason alone as well', () => {
    const error = new EndpointSyntaxError('fish://h', 'its scheme is unknown');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'EndpointSyntaxError', reason: 'its scheme is unknown' });
    expect(String(error)).toBe(
      `EndpointSyntaxError: "fish://h" is not an endpoint: its scheme is unknown; allowed schemes: ${SCHEMES}`,
    );
  });

  const { proxy: revokedProxy, revoke } = Proxy.revocable([], {});
  revoke();

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 8529, 'number'],
    ['a boolean', true, 'boolean'],
    ['a bigint', 1n, 'bigint'],
    ['a symbol', Symbol('tcp://h'), 'symbol'],
    ['a function', () => 'tcp://h', 'function'],
    ['an array of endpoints', ['tcp://h'], 'an array'],
    ['an object', { toString: () => 'tcp://h' }, 'object'],
    ['a String object', Object('tcp://h'), 'object'],
    ['a URL', new URL('tcp://h'), 'object'],
    ['an object without a prototype', Object.create(null), 'object'],
    ['a revoked proxy', revokedProxy, 'object'],
  ])('calls %s by its kind, and shows nothing of it', (_, value, kind) =>
    expect(messageFor(value)).toBe(`${kind} is not an endpoint: it is not a string; allowed schemes: ${SCHEMES}`),
  );

  it.each([
    ['http://root:secret@h:1', '"http://***@h:1"'],
    ['http@tcp://root:secret@h:1', '"http@tcp://***@h:1"'],
    ['fish://root:secret@h:1', '"fish://***@h:1"'],
    ['tcp://@h:1', '"tcp://***@h:1"'],
    ['tcp://secret@[::1]:1', '"tcp://***@[::1]:1"'],
    ['tcp://root:sec@ret@h:1', '"tcp://***@h:1"'],
    ['tcp://root:sec/ret@h:1', '"tcp://***@h:1"'],
    ['root:secret@h:1', '"***@h:1"'],
    ['tcp:root:secret@h:1', '"***@h:1"'],
    ['root:secret@tcp://h:1', '"***@tcp://h:1"'],
    ['secret@http://h:1', '"***@http://h:1"'],
    ['http@secret@tcp://h:1', '"***@tcp://h:1"'],
    ['tcp://a:secret@h:1,tcp://b:secret@i:2', '"tcp://***@i:2"'],
    [' tcp://root:secret@h:1', '" tcp://***@h:1"'],
    ['unix://root:secret@/s', '"unix://***@/s"'],
    ['tcp://h:1?token=secret', '"tcp://h:1?***"'],
    ['http://h/#token=secret', '"http://h/#***"'],
    ['h:1/?secret', '"h:1/?***"'],
    ['http://root:secret@h/#x', '"http://***@h/#***"'],
    ['http://root:sec?ret@h/', '"http://***"'],
    ['http://h/?mail=a@secret', '"http://***"'],
    ['http://?@secret', '"http://***"'],
    ['http://?secret', '"http://?***"'],
  ])('hides user, password and query: %j', (text, shown) => {
    const message = messageFor(text);
    expect(message.startsWith(`${shown} is not an endpoint: `)).toBe(true);
    expect(message).not.toContain('secret');
  });

  it.each(['why? here', 'tcp://h:1 # here', 'what?', 'is it a?b'])('shows what is no query: %j', (text) =>
    expect(messageFor(text)).toContain(`${JSON.stringify(text)} is not an endpoint`),
  );

  it('hides a password of whatever characters, wherever the rest is wrong', () => {
    const scheme = fc.constantFrom('tcp://', 'HTTPS://', 'http@tcp://', 'unix://', 'fish://', 'tcp:', '');
    const noise = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(scheme, noise, noise, noise, (before, inFront, behind, address) => {
        const text = `${before}root:${inFront}s3cr3t-w0rd${behind}@${address.replaceAll('@', '')}`;
        fc.pre(!text.startsWith('unix:///'));
        expect(messageFor(text)).not.toContain('s3cr3t-w0rd');
      }),
      PROPERTY_RUNS,
    );
  });

  it('shows no more than 200 characters of a long text', () => {
    expect(messageFor('x'.repeat(200))).toContain(`"${'x'.repeat(200)}" is not`);
    expect(messageFor('x'.repeat(201))).toContain(`"${'x'.repeat(200)}"... (201 characters) is not`);
    expect(messageFor('x'.repeat(100_000)).length).toBeLessThan(500);
  });

  it('stays on one line and moves no cursor, whatever the text carries', () => {
    expect(messageFor('tcp://a\n\u007f\u009b2J\u2028\u202e\u{e0001}\ud800b')).toContain(
      '"tcp://a\\n\\u007f\\u009b2J\\u2028\\u202e\\udb40\\udc01\\ud800b" is not',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expect(messageFor(`fish://${text}`)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u),
      ),
      PROPERTY_RUNS,
    );
  });
});
