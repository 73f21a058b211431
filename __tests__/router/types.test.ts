import supertest from 'supertest';
import type { EndpointProvider } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

/** What the compiler refuses here, `npm run typecheck` holds it to: an expected error that does not come is one. */
describe('A provider, as TypeScript knows it', () => {
  it('gives a list, and not a string, which is iterable too', async () => {
    // @ts-expect-error A string is no list of endpoints.
    const atOnce: EndpointProvider = () => 'tcp://a:1';
    // @ts-expect-error Nor is a promise of one.
    const later: EndpointProvider = () => Promise.resolve('tcp://a:1');
    for (const endpoints of [atOnce, later]) {
      const response = await supertest(serverOf({ endpoints, onError: () => undefined })).get('/_api/endpoint');
      expect(response.status).toBe(500);
    }
  });

  it('finds the signal in its query, and not in a copy of it', async () => {
    const seen: unknown[] = [];
    const endpoints: EndpointProvider = (query) => {
      const { listing, ...copy } = query;
      // @ts-expect-error A getter is not copied.
      seen.push(query.signal, copy.signal, listing, copy.database, copy.req === query.req);
      return [];
    };
    await supertest(serverOf({ endpoints })).get('/_api/endpoint');
    expect(seen).toEqual([expect.any(AbortSignal), undefined, 'server', '_system', true]);
  });
});
