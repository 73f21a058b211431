import type { Emitter, EndpointDirectory } from '../directory/directory.js';

/** `registered`: listed by etcd. `lost`: not listed, or not known to be, and being put back. `closed`: after `close()`. */
export type RegistrationState = 'registered' | 'lost' | 'closed';

/** The events of a registration and what their listeners get. */
export interface RegistrationEvents {
  /** etcd has dropped the endpoint, or has not renewed its lease for `ttlSeconds`: others no longer list it. */
  lost: [reason: Error];
  /** Listed again, after `lost`. */
  restored: [];
  /** An attempt to renew or to register again has failed; another follows by itself. */
  retry: [error: Error];
}

/** One endpoint that stays listed as long as this process renews its lease. It emits no event after `close()`. */
export interface Registration extends Emitter<RegistrationEvents> {
  /** In canonical form. */
  readonly endpoint: string;
  readonly state: RegistrationState;
  /** How long the entry outlives this process, in seconds, as etcd has granted it. */
  readonly ttlSeconds: number;
  /** Deregisters the endpoint, within `requestTimeoutMs`. Never rejects: when etcd is unreachable, the lease expires. */
  close(): Promise<void>;
}

export interface RegisterOptions {
  /**
   * How long the entry outlives this process, in seconds: an integer from 1 to 86400. etcd may grant more. Below 15, a
   * change of etcd's leader can take living Coordinators off the list for a moment.
   * @defaultValue 15
   */
  readonly ttlSeconds?: number;
  /** Gives up registering. Has no effect once the endpoint is registered. */
  readonly signal?: AbortSignal;
}

/** A directory whose members list themselves. */
export interface LeasedDirectory extends EndpointDirectory {
  /**
   * Lists an endpoint: resolves once it is listed, and keeps it listed until `close()` of the registration or the directory.
   *
   * @throws EndpointSyntaxError for what no client could connect to, `unix` and wildcard addresses among it; TypeError for
   *   options; Error when the endpoint is already registered here, when etcd refuses (at once), or when it has not answered
   *   within `connectTimeoutMs`, naming each host's failure; the reason of `signal`.
   */
  register(endpoint: string, options?: RegisterOptions): Promise<Registration>;
}
