import { Agent, get } from 'node:http';

/** One answer of the cluster route. */
export interface ListingAnswer {
  readonly status: number;
  readonly endpoints: readonly string[];
  /** Seconds, when the answer says that its list is not confirmed. */
  readonly age: string | undefined;
}

/** Asks a server for its cluster listing, again and again over one connection. Call `close` in the end. */
export function listingClient(endpoint: string): { ask: () => Promise<ListingAnswer>; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${endpoint.replace('tcp:', 'http:')}/_api/cluster/endpoints`;
  const ask = (): Promise<ListingAnswer> =>
    new Promise((resolve, reject) => {
      get(url, { agent, timeout: 10_000 }, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        res.once('error', reject);
        res.once('end', () => {
          const { endpoints = [] } = JSON.parse(text) as { endpoints?: { endpoint: string }[] };
          const age = res.headers['x-endpoint-list-age'];
          resolve({
            status: Number(res.statusCode),
            endpoints: endpoints.map((entry) => entry.endpoint),
            age: Array.isArray(age) ? age.join() : age,
          });
        });
      })
        .once('timeout', function (this: { destroy: (reason: Error) => void }) {
          this.destroy(new Error(`${endpoint} does not answer`));
        })
        .once('error', reject);
    });
  return {
    ask,
    close: () => agent.destroy(),
  };
}
