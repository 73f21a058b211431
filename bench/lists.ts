import type { EndpointProvider } from 'express-endpoint-listing';
import type { Handler } from './variant.js';

/** `size` endpoints, all different, in canonical form. */
export function endpointsOf(size: number): string[] {
  return Array.from(
    { length: size },
    (_, index) => `tcp://10.0.${String(Math.floor(index / 250))}.${String((index % 250) + 1)}:8529`,
  );
}

interface ClusterBody {
  error: false;
  code: 200;
  endpoints: { endpoint: string }[];
}

/** The cluster listing as a value: what a handler written by hand serialises. */
export function clusterBody(endpoints: readonly string[]): ClusterBody {
  return { error: false, code: 200, endpoints: endpoints.map((endpoint) => ({ endpoint })) };
}

/** The headers of the answer that the router gives: servers that send a constant buffer send the same bytes. */
export function clusterHeaders(body: Buffer | string): readonly (readonly [name: string, value: string])[] {
  return [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-store'],
  ];
}

/** The provider that a handler's name promises. */
export function providerOf(handler: Handler, list: readonly string[]): EndpointProvider {
  const snapshot = Object.freeze([...list]);
  const providers: Partial<Record<Handler, EndpointProvider>> = {
    sync: () => list,
    async: () => Promise.resolve(list),
    snapshot: () => snapshot,
    fresh: () => [...list],
  };
  const provider = providers[handler];
  if (provider === undefined) throw new TypeError(`no provider is called ${handler}`);
  return provider;
}
