import { isIPv6, type Socket } from 'node:net';
import { coordinatorEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import { isRole } from '../options/role.js';
import type { ServerRole } from '../index.js';
import { refusedValue, shownValue } from '../options/read-options.js';
import { createActiveTroubles } from './active-troubles.js';
import { createCoordinatorApplication } from './coordinator-application.js';
import { createAuthentication } from './authentication.js';
import { createClusterCertificates } from './cluster-certificates.js';
import { inflict } from './inflict-trouble.js';
import { testClusterSettings, type TestClusterOptions } from './options.js';
import { createRequestLog } from './request-log.js';
import { createBreakableServer, type BreakableServer, type ConnectedListener } from './server.js';
import type { TestCluster, TestCoordinator } from './test-cluster.js';
import { troubleSettings, type Trouble } from './trouble.js';

const LISTING = /^(?:\/_db\/[^/?]+)?\/_api\/(?:cluster\/endpoints|endpoint)\/?(?:\?|$)/;
const ROLE = { allowed: "'single', 'coordinator', 'dbserver' or 'agent'" };

/**
 * Starts a cluster for tests, on free ports of loopback. It is not a database: beside the two listings it answers
 * `GET /_api/version`, `/_admin/server/availability`, `/_admin/server/role`, `/_api/database/current` and `POST /_open/auth`, each also
 * below `/_db/:name`, and everything else with 404 in the drivers' form.
 *
 * Clusters share nothing: as many as you like run in one process.
 *
 * @throws `TypeError` for a bad option, naming the option, the value and what is allowed.
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const settings = testClusterSettings(options);
  const { host, advertisedHost, ssl, database, clusterDatabases, notCoordinatorStatus } = settings;
  const scheme = ssl ? { ofEndpoint: 'ssl', ofUrl: 'https' } : { ofEndpoint: 'tcp', ofUrl: 'http' };
  const listedHost = bracketed(advertisedHost ?? host);
  const hostOption = advertisedHost === undefined ? 'host' : 'advertisedHost';
  readEachEndpoint(
    `startTestCluster: option ${hostOption}`,
    [`${scheme.ofEndpoint}://${listedHost}:1`],
    coordinatorEndpoint,
  );

  const authentication = createAuthentication(settings.auth);
  const certificates = ssl ? createClusterCertificates(advertisedHost ?? host) : undefined;
  const troubles = createActiveTroubles();
  const log = createRequestLog();
  let endpoints: readonly string[] = [];
  let list: readonly string[] = [];
  let role: ServerRole = 'coordinator';

  const serverOf = (index: number): BreakableServer => {
    const endingConnections = new WeakSet<Socket>();
    const application = createCoordinatorApplication({
      authentication,
      role: () => role,
      list: () => list,
      ownEndpoints: () => endpoints.slice(index, index + 1),
      database,
      router: { clusterDatabases, notCoordinatorStatus },
      addRoutes: (router) => settings.routes?.(router, index),
    });
    const listener: ConnectedListener = (req, res, tcp) => {
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
      const next = `${scheme.ofUrl}://${addressOf((index + 1) % servers.length)}${received.url}`;
      const endAtNextRequest = (): unknown => endingConnections.add(tcp);
      void inflict(trouble, { req, res, application, tcp, next, endAtNextRequest });
    };
    const secureContext = certificates && (() => certificates.contextFor(troubles.ofHandshake(index)?.certificate));
    return createBreakableServer(host, listener, secureContext);
  };
  const servers = Array.from({ length: settings.coordinators }, (_, index) => serverOf(index));
  const addressOf = (index: number): string => `${listedHost}:${String(servers[index]?.port())}`;

  const startAll = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.start()));
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    await startAll();
  } catch (error) {
    await closeAll();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  const refuseWhenClosed = (): void => {
    if (closed !== undefined) throw new Error('the cluster is closed');
  };
  const coordinators = servers.map((server, index): TestCoordinator =>
    Object.freeze({
      url: `${scheme.ofUrl}://${addressOf(index)}`,
      endpoint: `${scheme.ofEndpoint}://${addressOf(index)}`,
      get state() {
        return server.state();
      },
      get requests() {
        return log.of(index);
      },
      stop: server.stop,
      async start() {
        refuseWhenClosed();
        await server.start();
      },
      async freeze() {
        refuseWhenClosed();
        await server.freeze();
      },
    }),
  );
  endpoints = Object.freeze(coordinators.map(({ endpoint }) => endpoint));
  list = endpoints;

  return Object.freeze({
    urls: Object.freeze(coordinators.map(({ url }) => url)),
    endpoints,
    coordinators: Object.freeze(coordinators),
    ca: certificates?.ca,
    get requests() {
      return log.all();
    },
    setList(given: readonly string[]) {
      if (!Array.isArray(given)) throw new TypeError(`setList: list must be an array, got ${shownValue(given)}`);
      list = Object.freeze(readEachEndpoint('setList: list', given, coordinatorEndpoint));
    },
    setRole(given: ServerRole) {
      if (!isRole(given)) throw refusedValue('setRole: role', ROLE, given);
      role = given;
    },
    trouble(given: Trouble) {
      const checked = troubleSettings(given, { coordinators: servers.length, ssl });
      if (checked.kind === 'tls') for (const server of servers) server.endConnections();
      return troubles.add(checked);
    },
    async reset() {
      refuseWhenClosed();
      troubles.clear();
      list = endpoints;
      role = 'coordinator';
      await startAll();
      log.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
