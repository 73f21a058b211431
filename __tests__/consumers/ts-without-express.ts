import { checkEndpoints, fetchEndpoints, type FetchEndpointsOptions } from 'express-endpoint-listing/client';
import { loadServerOptions, type ServerOptions } from 'express-endpoint-listing/config';
import { createPolledDirectory } from 'express-endpoint-listing/directory';
import { createSrvDirectory, type SrvDirectoryOptions } from 'express-endpoint-listing/dns-srv';
import { createEtcdDirectory, type EtcdDirectoryOptions } from 'express-endpoint-listing/etcd';
import { createHealthDirectory } from 'express-endpoint-listing/health';
import { createUpstreamDirectory } from 'express-endpoint-listing/upstream';

/** Uses every entry that needs no Express: a list from wherever the options say. */
export async function list(options: FetchEndpointsOptions, etcd: EtcdDirectoryOptions, srv: SrvDirectoryOptions) {
  const { coordinators }: ServerOptions = loadServerOptions({ args: [] });
  const fetched: string[] = await fetchEndpoints('http://127.0.0.1:8529', options);
  const { ok } = await checkEndpoints('http://127.0.0.1:8529');
  const upstream = await createUpstreamDirectory({ servers: ['http://127.0.0.1:8529'] });
  const polled = await createPolledDirectory({ read: () => coordinators });
  const directories = [polled, await createEtcdDirectory(etcd), await createSrvDirectory(srv), upstream];
  const health = createHealthDirectory;
  return { coordinators, fetched, ok, health, listed: directories.flatMap((directory) => directory.provider()) };
}
