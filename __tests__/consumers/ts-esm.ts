import express, { type Request } from 'express';
import {
  coalesce,
  createEndpointRouter,
  EndpointSyntaxError,
  formatEndpoint,
  parseEndpoint,
  SYSTEM_DATABASE,
  type ClusterEndpointsBody,
  type Endpoint,
  type EndpointListBody,
  type EndpointProvider,
  type EndpointQuery,
  type EndpointRouterOptions,
  type ErrorBody,
  type ServerRole,
  type SharedEndpointQuery,
} from 'express-endpoint-listing';
import type { AddressInfo } from 'node:net';

const address: Endpoint = parseEndpoint('tcp://10.0.0.1');
const shared = ({ signal }: SharedEndpointQuery): Promise<string[]> =>
  signal.aborted ? Promise.reject(new Error('too late')) : Promise.resolve([formatEndpoint(address)]);
const cluster: EndpointProvider = coalesce(shared);
const endpoints = (query: EndpointQuery): ReturnType<EndpointProvider> =>
  query.listing === 'cluster' && query.database === SYSTEM_DATABASE ? cluster(query) : new Set(['ssl://[2001:db8::1]']);
const role: ServerRole = 'coordinator';
const options: EndpointRouterOptions = {
  endpoints,
  role: () => role,
  timeoutMs: Infinity,
  onError: (error: Error, req: Request) => {
    console.log(req.method, error instanceof EndpointSyntaxError);
  },
};

const app = express();
app.use(createEndpointRouter(options));
app.use('/api', createEndpointRouter({ endpoints: Object.freeze(['tcp://10.0.0.1:8529'] as const) }));

const server = app.listen(0, '127.0.0.1', () => {
  void ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function ask(origin: string): Promise<void> {
  const listing = (await (await fetch(`${origin}/_api/cluster/endpoints`)).json()) as ClusterEndpointsBody | ErrorBody;
  console.log(listing.code, listing.error ? listing.errorMessage : listing.endpoints);
  const list = (await (await fetch(`${origin}/_api/endpoint`)).json()) as EndpointListBody;
  console.log(list.map(({ endpoint }) => endpoint));
  server.closeAllConnections();
  server.close();
}
