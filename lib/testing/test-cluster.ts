import type { IncomingHttpHeaders } from 'node:http';
import type { ServerRole } from '../index.js';
import type { ActiveTrouble } from './active-troubles.js';
import type { Trouble, TroubleKind } from './trouble.js';

/** A request that a coordinator has received. */
export interface ReceivedRequest {
  /** The index of the coordinator. */
  readonly coordinator: number;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The time of its arrival in ms since 1970. */
  readonly receivedAt: number;
  /** The trouble that it met; `null` without one. */
  readonly trouble: TroubleKind | null;
}

/** One coordinator of a cluster for tests. In whatever order it is told to, it ends in the state that was asked for last. */
export interface TestCoordinator {
  /** `http://127.0.0.1:40001`: what a driver takes. The same for the life of the cluster. */
  readonly url: string;
  /** `tcp://127.0.0.1:40001`: how it is listed. */
  readonly endpoint: string;
  readonly state: 'running' | 'frozen' | 'stopped';
  /** The requests that it has received, oldest first; of all coordinators the newest 10,000 are kept. */
  readonly requests: readonly ReceivedRequest[];
  /** Refuses new connections and closes existing ones, as if the process had been killed. It remains listed. */
  readonly stop: () => Promise<void>;
  /**
   * Runs again at the same port after `stop()`; goes on after `freeze()`, with what has waited meanwhile.
   * Rejects when another process has taken the port, and once the cluster is closed.
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
