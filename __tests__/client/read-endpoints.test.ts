import fc from 'fast-check';
import { ListingError, readEndpoints } from '../../lib/client/index.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

/** The error that reading a body ends in. */
function failure(body: unknown): ListingError {
  try {
    readEndpoints(body);
  } catch (error) {
    if (error instanceof ListingError) return error;
    throw error;
  }
  throw new Error('the body was read');
}

describe('the body of a listing', () => {
  const binds = [{ endpoint: 'tcp://10.0.0.2:8529' }, { endpoint: 'ssl://[2001:db8::1]:8530' }];

  it.each<[what: string, body: unknown, endpoints: string[]]>([
    [
      'of a cluster, in the order sent',
      { error: false, code: 200, endpoints: binds },
      ['tcp://10.0.0.2:8529', 'ssl://[2001:db8::1]:8530'],
    ],
    ['of a server, in the order sent', binds, ['tcp://10.0.0.2:8529', 'ssl://[2001:db8::1]:8530']],
    ['of a cluster that lists nobody', { error: false, code: 200, endpoints: [] }, []],
    ['of a server that lists nothing', [], []],
    [
      'of an old server, with databases beside the endpoint',
      [{ endpoint: 'tcp://127.0.0.1:8529', databases: ['a'] }],
      ['tcp://127.0.0.1:8529'],
    ],
    [
      'with the advertised endpoint, never the "internal" beside it',
      [{ internal: 'tcp://10.0.0.1:8529', endpoint: 'tcp://gateway.example:443' }],
      ['tcp://gateway.example:443'],
    ],
  ])('is read: %s', (_what, body, endpoints) => {
    const before = JSON.stringify(body);
    expect(readEndpoints(body)).toEqual(endpoints);
    expect(JSON.stringify(body)).toBe(before);
  });
});

describe('the attribute that holds the endpoint', () => {
  it.each<[string, object, string]>([
    ['may be called "endpoint"', { endpoint: 'tcp://a:1' }, 'tcp://a:1'],
    ['may be called "entrypoint"', { entrypoint: 'tcp://b:2' }, 'tcp://b:2'],
    [
      'may be called "entrypoint", with an "internal" beside it',
      { internal: 'x', entrypoint: 'tcp://c:3' },
      'tcp://c:3',
    ],
    ['may have any name when it is the only one', { address: 'tcp://d:4' }, 'tcp://d:4'],
    ['may have any name with only an "internal" beside it', { internal: 'x', address: 'tcp://e:5' }, 'tcp://e:5'],
    ['is "entrypoint" beside attributes of other names', { entrypoint: 'tcp://e:6', zone: 'x' }, 'tcp://e:6'],
    ['is "endpoint" when there is an "entrypoint" too', { entrypoint: 'x', endpoint: 'tcp://f:6' }, 'tcp://f:6'],
    ['may be an own "__proto__"', JSON.parse('{"__proto__":"tcp://g:7"}') as object, 'tcp://g:7'],
    [
      'may belong to an object without a prototype',
      Object.assign(Object.create(null) as object, { endpoint: 'tcp://h:8' }),
      'tcp://h:8',
    ],
  ])('%s', (_name, entry, endpoint) => {
    expect(readEndpoints([entry])).toEqual([endpoint]);
    expect(readEndpoints({ error: false, code: 200, endpoints: [entry] })).toEqual([endpoint]);
  });

  it('is never taken from a polluted prototype', () => {
    const polluted = Object.prototype as { endpoint?: string; endpoints?: unknown; error?: boolean };
    polluted.endpoint = 'tcp://evil:1';
    polluted.endpoints = [{ endpoint: 'tcp://evil:2' }];
    polluted.error = true;
    try {
      expect(failure([{}]).message).toBe('[0]: has no attribute that holds an endpoint');
      expect(failure({}).message).toBe('attribute "endpoints" must be an array, got undefined');
      expect(readEndpoints({ endpoints: [{ entrypoint: 'tcp://good:1' }] })).toEqual(['tcp://good:1']);
    } finally {
      delete polluted.endpoint;
      delete polluted.endpoints;
      delete polluted.error;
    }
  });
});

it('the strings come back as sent: not normalised, not checked, with duplicates', () => {
  const sent = ['HTTP+SSL://Localhost', 'tcp://127.0.0.1:8529/', 'no endpoint', 'tcp://a:1', 'tcp://a:1'];
  expect(readEndpoints(sent.map((endpoint) => ({ endpoint })))).toEqual(sent);
});

describe('an error body', () => {
  it('throws a ListingError with its code, errorNum and errorMessage', () => {
    const error = failure({
      code: 403,
      error: true,
      errorMessage: 'operation only allowed in system database',
      errorNum: 1230,
    });
    expect(error).toBeInstanceOf(Error);
    expect(Object.assign({}, error)).toEqual({
      name: 'ListingError',
      kind: 'refused',
      code: 403,
      errorNum: 1230,
      errorMessage: 'operation only allowed in system database',
    });
    expect(error.message).toBe('the server refused with 403 / 1230: "operation only allowed in system database"');
  });

  it('is one even with a list of endpoints in it', () =>
    expect(failure({ error: true, code: 500, endpoints: [{ endpoint: 'tcp://a:1' }] }).kind).toBe('refused'));

  it('may leave out everything else', () => {
    expect(Object.assign({}, failure({ error: true }))).toStrictEqual({ name: 'ListingError', kind: 'refused' });
    expect(failure({ error: true }).message).toBe('the server refused');
  });

  it.each([
    ['a code', { code: '403', errorNum: 11, errorMessage: 'no' }, { errorNum: 11, errorMessage: 'no' }],
    ['an errorNum', { code: 403, errorNum: 1.5, errorMessage: 'no' }, { code: 403, errorMessage: 'no' }],
    ['an errorMessage', { code: 403, errorNum: 11, errorMessage: { a: 1 } }, { code: 403, errorNum: 11 }],
  ])('keeps the rest when %s is of another type than it should be', (_name, body, details) =>
    expect(Object.assign({}, failure({ error: true, ...body }))).toEqual({
      name: 'ListingError',
      kind: 'refused',
      ...details,
    }),
  );

  it('is quoted and cut in the message, and whole in errorMessage', () => {
    const errorMessage = `line\r\n${'x'.repeat(100_000)}`;
    const error = failure({ error: true, code: 500, errorMessage });
    expect(error.errorMessage).toBe(errorMessage);
    expect(error.message).toMatch(/^the server refused with 500: "line\\r\\nx{194}"\.\.\. \(100006 characters\)$/);
  });
});

describe('a malformed body', () => {
  it.each<[unknown, string]>([
    [undefined, 'the body must be an array or an object, got undefined'],
    [null, 'the body must be an array or an object, got null'],
    [42, 'the body must be an array or an object, got number'],
    ['<html>', 'the body must be an array or an object, got "<html>"'],
    [{}, 'attribute "endpoints" must be an array, got undefined'],
    [{ error: false, code: 200 }, 'attribute "endpoints" must be an array, got undefined'],
    [{ error: 'true', code: 200 }, 'attribute "endpoints" must be an array, got undefined'],
    [{ endpoints: null }, 'attribute "endpoints" must be an array, got null'],
    [{ endpoints: { 0: { endpoint: 'tcp://a:1' } } }, 'attribute "endpoints" must be an array, got object'],
    [{ endpoints: 'tcp://a:1' }, 'attribute "endpoints" must be an array, got "tcp://a:1"'],
    [['tcp://a:1'], '[0]: must be an object, got "tcp://a:1"'],
    [{ endpoints: [{ endpoint: 'tcp://a:1' }, null] }, 'endpoints[1]: must be an object, got null'],
    [{ endpoints: [[{ endpoint: 'tcp://a:1' }]] }, 'endpoints[0]: must be an object, got an array'],
    [[{}], '[0]: has no attribute that holds an endpoint'],
    [[{ internal: 'tcp://a:1' }], '[0]: has no attribute that holds an endpoint'],
    [[{ a: 'tcp://a:1', b: 'tcp://b:1' }], '[0]: has 2 attributes, and none is called "endpoint"'],
    [[{ endpoint: 1 }], '[0]: attribute "endpoint" must be a non-empty string, got number'],
    [[{ endpoint: '' }], '[0]: attribute "endpoint" must be a non-empty string, got ""'],
    [[{ endpoint: null, entrypoint: 'tcp://a:1' }], '[0]: attribute "endpoint" must be a non-empty string, got null'],
    [[{ 'a\nb': ['tcp://a:1'] }], '[0]: attribute "a\\nb" must be a non-empty string, got an array'],
    [new Array(3), '[0]: must be an object, got undefined'],
    [new Map([['endpoints', []]]), 'attribute "endpoints" must be an array, got undefined'],
  ])('%j throws a ListingError that says what is wrong and where', (body, message) => {
    expect(failure(body).message).toBe(message);
    expect(Object.assign({}, failure(body))).toEqual({ name: 'ListingError', kind: 'malformed' });
  });

  it('is never quoted at length', () => {
    expect(failure('x'.repeat(1_000_000)).message.length).toBeLessThan(300);
    expect(failure([{ ['x'.repeat(1_000_000)]: 1 }]).message.length).toBeLessThan(400);
    const manyAttributes = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`a${String(index)}`, 'x']),
    );
    expect(failure([manyAttributes]).message).toBe('[0]: has 100000 attributes, and none is called "endpoint"');
  });

  it('stops at the first fault, however long the array is', () =>
    expect(failure(new Array(4_294_967_295)).message).toBe('[0]: must be an object, got undefined'));
});

describe('whatever the body is', () => {
  const almostListing = fc.oneof(
    fc.array(fc.dictionary(fc.constantFrom('endpoint', 'entrypoint', 'internal', 'x'), fc.anything())),
    fc.record(
      {
        error: fc.oneof(fc.boolean(), fc.anything()),
        code: fc.anything(),
        errorNum: fc.anything(),
        endpoints: fc.anything(),
      },
      { requiredKeys: [] },
    ),
  );

  it('the outcome is a list of non-empty strings or a ListingError', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.anything({ withNullPrototype: true, withMap: true }), fc.jsonValue(), almostListing),
        (body) => {
          let endpoints: string[];
          try {
            endpoints = readEndpoints(body);
          } catch (error) {
            expect(error).toBeInstanceOf(ListingError);
            expect((error as ListingError).message.length).toBeLessThan(800);
            return;
          }
          expect(endpoints.every((endpoint) => typeof endpoint === 'string' && endpoint !== '')).toBe(true);
        },
      ),
      PROPERTY_RUNS,
    ));
});

describe('with onSkipped', () => {
  it('an entry that holds no endpoint is skipped with the reason, and hides no other', () => {
    const reasons: string[] = [];
    const endpoints = [
      { endpoint: 'tcp://a:1' },
      { endpoint: '' },
      7,
      {},
      { a: 'x', b: 'y' },
      { endpoint: 'tcp://b:2' },
    ];
    const body = { error: false, code: 200, endpoints };
    const read = readEndpoints(body, ({ kind, message }) => reasons.push(`${kind}: ${message}`));
    expect(read).toEqual(['tcp://a:1', 'tcp://b:2']);
    expect(reasons).toEqual([
      'malformed: attribute "endpoint" must be a non-empty string, got ""',
      'malformed: must be an object, got number',
      'malformed: has no attribute that holds an endpoint',
      'malformed: has 2 attributes, and none is called "endpoint"',
    ]);
  });

  it('an error body is refused all the same', () =>
    expect(() => readEndpoints({ error: true, code: 501, errorNum: 9 }, () => undefined)).toThrow(
      'the server refused with 501 / 9',
    ));
});
