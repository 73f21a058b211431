import { coordinatorEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import type { ServerRole } from '../index.js';
import { refusedValue, shownValue } from '../options/read-options.js';
import { isRole } from '../options/role.js';
import { createClusterState, type ClusterState } from './cluster-state.js';
import { createCoordinator, type Coordinator } from './coordinator.js';
import type { LifeState } from './life.js';
import { testClusterSettings, type TestClusterOptions } from './options.js';
import type { TestCluster, TestCoordinator } from './test-cluster.js';
import type { Trouble } from './trouble.js';
import { troubleSettings } from './trouble-rules.js';

const ROLE = { allowed: "'single', 'coordinator', 'dbserver' or 'agent'" };

/**
 * Starts a cluster for tests, on free loopback ports unless you give `ports`. It is not a database: besides the two listings it serves the
 * requests that drivers make before them, about the server, the cluster and its databases. Everything else is a 404 in the drivers' format.
 *
 * Clusters share nothing: run any number of them in one process.
 *
 * @example
 * ```ts
 * import { startTestCluster } from 'express-endpoint-listing/testing';
 *
 * const cluster = await startTestCluster({ coordinators: 3 });
 * await cluster.coordinators[1]?.stop();
 * await cluster.close();
 * ```
 * @throws `TypeError` for an invalid option, naming the option, the value and what is allowed.
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const state = createClusterState(testClusterSettings(options));
  const coordinators = Array.from({ length: state.settings.coordinators }, (_, index) =>
    createCoordinator(state, index),
  );
  state.members.push(...coordinators);
  try {
    // Requests wait until all coordinators listen: before that, none knows the whole list.
    await become(coordinators, 'frozen');
    await become(coordinators, 'running');
  } catch (error) {
    await become(coordinators, 'stopped');
    throw error;
  }
  return testCluster(state, coordinators);
}

async function become(coordinators: readonly Coordinator[], state: LifeState): Promise<void> {
  await Promise.all(coordinators.map((coordinator) => coordinator.become(state)));
}

function testCluster(state: ClusterState, servers: readonly Coordinator[]): TestCluster {
  const { certificates, databases, log, troubles } = state;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= become(servers, 'stopped'));
  const refuseWhenClosed = (): void => {
    if (closed !== undefined) throw new Error('the cluster is closed');
  };
  const coordinators = servers.map((server, index) => testCoordinator(server, () => log.of(index), refuseWhenClosed));

  return Object.freeze({
    urls: Object.freeze(coordinators.map(({ url }) => url)),
    endpoints: Object.freeze(coordinators.map(({ endpoint }) => endpoint)),
    coordinators: Object.freeze(coordinators),
    ca: certificates?.ca,
    get requests() {
      return log.all();
    },
    setList(given: readonly string[]) {
      refuseWhenClosed();
      if (!Array.isArray(given)) throw new TypeError(`setList: list must be an array, got ${shownValue(given)}`);
      state.list = Object.freeze(readEachEndpoint('setList: list', given, coordinatorEndpoint));
    },
    setRole(given: ServerRole) {
      refuseWhenClosed();
      if (!isRole(given)) throw refusedValue('setRole: role', ROLE, given);
      state.role = given;
    },
    trouble(given: Trouble) {
      refuseWhenClosed();
      const checked = troubleSettings(given, { coordinators: servers.length, ssl: state.settings.ssl });
      if (checked.kind === 'tls') for (const server of servers) server.endConnections();
      return troubles.add(checked);
    },
    async reset() {
      refuseWhenClosed();
      troubles.clear();
      databases.reset();
      state.list = undefined;
      state.role = 'coordinator';
      await become(servers, 'running');
      log.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}

function testCoordinator(
  server: Coordinator,
  requests: () => TestCoordinator['requests'],
  refuseWhenClosed: () => void,
): TestCoordinator {
  const becomeUnlessClosed = async (state: LifeState): Promise<void> => {
    refuseWhenClosed();
    await server.become(state);
  };
  return Object.freeze({
    url: server.url(),
    endpoint: server.endpoint(),
    get state() {
      return server.state();
    },
    get requests() {
      return requests();
    },
    stop: () => server.become('stopped'),
    start: () => becomeUnlessClosed('running'),
    freeze: () => becomeUnlessClosed('frozen'),
  });
}
