import fc from 'fast-check';
import { fetchEndpoints, ListingError } from '../../lib/client/index.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

const LISTING = Buffer.from(
  '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"},{"endpoint":"ssl://b:2"}]}',
);

/** Asks a server that answers with these bytes: the outcome is a list of strings or a ListingError. */
async function outcome(bytes: Uint8Array, init: ResponseInit): Promise<'listed' | ListingError> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response(bytes, init));
  try {
    const endpoints = await fetchEndpoints('http://127.0.0.1:1', { fetch });
    expect(endpoints.every((endpoint) => typeof endpoint === 'string' && endpoint !== '')).toBe(true);
    return 'listed';
  } catch (error) {
    expect(error).toBeInstanceOf(ListingError);
    return error as ListingError;
  }
}

describe('whatever a server answers, the outcome is a listing or a ListingError', () => {
  const status = fc.oneof(fc.constant(200), fc.constantFrom(201, 299, 300, 400, 403, 501, 599));
  const type = fc.oneof(
    fc.constant('application/json'),
    fc.constantFrom('application/json;', 'text/json', 'application/jsonx', ''),
  );

  it('of arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), status, type, async (bytes, code, contentType) => {
        await outcome(bytes, { status: code, headers: { 'content-type': contentType } });
      }),
      PROPERTY_RUNS,
    );
  });

  it('of a listing with a byte changed, at every place', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await outcome(LISTING, { headers })).toBe('listed');
    for (let place = 0; place < LISTING.length; place += 1) {
      for (const byte of [0x00, 0x22, 0x2c, 0x5d, 0x7b, 0xff]) {
        const bytes = Buffer.from(LISTING);
        bytes[place] = byte;
        await outcome(bytes, { headers });
      }
    }
  });

  it('of a listing cut short, at every place', async () => {
    for (let length = 0; length < LISTING.length; length += 1) {
      const error = await outcome(LISTING.subarray(0, length), { headers: { 'content-type': 'application/json' } });
      expect(error).toMatchObject({ kind: 'malformed' });
    }
  });
});
