import { useClosing } from '../process/closing.js';
import type { RequestHandler } from 'express';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../../lib/testing/index.js';

export const CLUSTER_ROUTE = '/_api/cluster/endpoints';

/** Starts clusters for the tests of one file, and closes each when its test is over. */
export function clusters(): (options?: TestClusterOptions) => Promise<TestCluster> {
  const closing = useClosing();
  return async (options) => closing(await startTestCluster(options));
}

/** The options for one coordinator that has a route of the test's own. */
export function withRoute(path: string, handler: RequestHandler, more: TestClusterOptions = {}): TestClusterOptions {
  return { coordinators: 1, routes: (router) => router.get(path, handler), ...more };
}

/** Status and parsed body of a GET. */
export async function ask(
  url: string | undefined,
  path = CLUSTER_ROUTE,
  init?: RequestInit,
): Promise<[number, unknown]> {
  const response = await fetch(String(url) + path, init);
  return [response.status, await response.json()];
}

/** The statuses of some requests, one after the other. */
export async function statuses(url: string | undefined, count: number, path = CLUSTER_ROUTE): Promise<number[]> {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent += 1) seen.push((await ask(url, path))[0]);
  return seen;
}

/** The body of a 200 of the cluster route. */
export function listing(endpoints: readonly string[]): unknown {
  return { error: false, code: 200, endpoints: endpoints.map((endpoint) => ({ endpoint })) };
}
