import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ClusterState, Member } from './cluster-state.js';
import { createCoordinatorApplication } from './coordinator-application.js';
import { inflict } from './inflict-trouble.js';
import { createBreakableServer, type BreakableServer, type ConnectedListener } from './server.js';

const LISTING = /^(?:\/_db\/[^/?]+)?\/_api\/(?:cluster\/endpoints|endpoint)\/?(?:\?|$)/;

/** One coordinator of a cluster, with its server. */
export interface Coordinator extends Member, BreakableServer {}

/** Makes the coordinator at one place of a cluster, stopped. */
export function createCoordinator(cluster: ClusterState, index: number): Coordinator {
  const { certificates, troubles, settings } = cluster;
  const { host, listedHost, ports, scheme } = settings;
  const server = createBreakableServer(
    {
      host,
      port: ports?.[index] ?? 0,
      secureContext: certificates && (() => certificates.contextFor(troubles.ofHandshake(index)?.certificate)),
    },
    createListener(cluster, index),
  );
  const address = (): string => `${listedHost}:${String(server.port())}`;
  return {
    ...server,
    id: randomUUID(),
    url: () => `${scheme.ofUrl}://${address()}`,
    endpoint: () => `${scheme.ofEndpoint}://${address()}`,
  };
}

/** Notes each request, and answers it unless it meets a trouble. */
function createListener(cluster: ClusterState, index: number): ConnectedListener {
  const { log, members, troubles } = cluster;
  const endingConnections = new WeakSet<Socket>();
  const application = createCoordinatorApplication(cluster, index);
  return (req, res, tcp) => {
    const received = log.add(index, req);
    if (endingConnections.has(tcp)) {
      received.trouble = 'keep-alive';
      tcp.destroy();
      return;
    }
    const trouble = troubles.ofRequest(index, LISTING.test(received.url));
    if (trouble === undefined) {
      application(req, res);
      return;
    }
    received.trouble = trouble.kind;
    const next = `${String(members[(index + 1) % members.length]?.url())}${received.url}`;
    const endAtNextRequest = (): unknown => endingConnections.add(tcp);
    void inflict(trouble, { req, res, application, tcp, next, endAtNextRequest });
  };
}
