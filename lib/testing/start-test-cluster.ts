import { coordinatorEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import type { ServerRole } from '../index.js';
import { refusedValue, shownValue } from '../options/read-options.js';
import { isRole } from '../options/role.js';
import type { ActiveTrouble } from './active-troubles.js';
import { ClusterState } from './cluster-state.js';
import { createCoordinator, type Coordinator } from './coordinator.js';
import type { LifeState } from './server.js';
import { testClusterSettings, type TestClusterOptions } from './options.js';
import type { ReceivedRequest } from './request-log.js';
import type { Trouble } from './trouble.js';
import { troubleSettings } from './trouble-rules.js';

/** One coordinator of a cluster for tests. In whatever order it is told to, it ends in the state that was asked for last. */
export interface TestCoordinator {
  /** `http://127.0.0.1:40001`: what a driver takes. The same for the life of the cluster. */
  readonly url: string;
  /** `tcp://127.0.0.1:40001`: how it is listed. */
  readonly endpoint: string;
  readonly state: 'running' | 'frozen' | 'stopped';
  /** The requests that it has received, oldest first; of all coordinators the newest 10,000 are kept. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * Refuses new connections and closes existing ones, as if the process had been killed. It remains listed, and on Linux no other server
   * that asks for a free port is given its own.
   */
  readonly stop: () => Promise<void>;
  /**
   * Runs again at the same port after `stop()`; goes on after `freeze()`, with what has waited meanwhile.
   * Rejects when something else listens at the port, and once the cluster is closed.
   */
  readonly start: () => Promise<void>;
  /** Accepts connections and requests, and answers none, as if the process had been suspended. Answers under way go on. */
  readonly freeze: () => Promise<void>;
}

/** A cluster for tests: coordinators that answer what drivers ask on the way to the listings, and that can be broken. */
export interface TestCluster extends AsyncDisposable {
  /** The URL of each coordinator. */
  readonly urls: readonly string[];
  /** The endpoint of each coordinator, running or not: what the cluster lists unless {@link setList} says otherwise. */
  readonly endpoints: readonly string[];
  readonly coordinators: readonly TestCoordinator[];
  /** The certificate of the authority that clients must trust, in PEM form; `undefined` without `ssl`. */
  readonly ca: string | undefined;
  /** The requests of all coordinators, oldest first; the newest 10,000 are kept. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * Sets the list of the cluster; an array is copied.
   *
   * @throws `TypeError` that names every endpoint that no coordinator could have. For a list with bad entries there is the trouble
   *   `entries`.
   */
  readonly setList: (list: readonly string[]) => void;
  /** Sets the role of all coordinators: only a `coordinator` has the list of the cluster. */
  readonly setRole: (role: ServerRole) => void;
  /**
   * Sets a trouble. One request meets one trouble: the oldest that fits, so that troubles with `times` follow each other.
   *
   * @throws `TypeError` that names the member, the value and what is allowed; `Error` once the cluster is closed.
   */
  readonly trouble: (trouble: Trouble) => ActiveTrouble;
  /** Ends all troubles, starts what is stopped or frozen, restores list, role and databases, and forgets the requests. */
  readonly reset: () => Promise<void>;
  /** Closes all coordinators at once and cuts their connections. Every call gives the same promise. */
  readonly close: () => Promise<void>;
}

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
  const state = new ClusterState(testClusterSettings(options));
  const coordinators = Array.from({ length: state.settings.coordinators }, (_, index) =>
    createCoordinator(state, index),
  );
  state.members.push(...coordinators);
  try {
    // Requests wait until all coordinators listen: before that, none knows the whole list.
    await become(coordinators, 'frozen');
    await become(coordinators, 'running');
  } catch (error) {
    await endForGood(coordinators);
    throw error;
  }
  return testCluster(state, coordinators);
}

async function become(coordinators: readonly Coordinator[], state: LifeState): Promise<void> {
  await Promise.all(coordinators.map((coordinator) => coordinator.become(state)));
}

async function endForGood(coordinators: readonly Coordinator[]): Promise<void> {
  await become(coordinators, 'stopped');
  for (const { releasePort } of coordinators) releasePort();
}

function testCluster(state: ClusterState, servers: readonly Coordinator[]): TestCluster {
  const { certificates, databases, log, troubles } = state;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= endForGood(servers));
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
