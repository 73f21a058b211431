import type { Emitter, EndpointDirectory } from '../directory/directory.js';

/** `registered`: listed by etcd. `lost`: not, or perhaps not, listed, and re-registering. `closed`: after `close()`. */
export type RegistrationState = 'registered' | 'lost' | 'closed';

/** The events of a registration, with their arguments. */
export interface RegistrationEvents {
  /** etcd has dropped the endpoint, or has not renewed its lease for `ttlSeconds`: others no longer list it. */
  lost: [reason: Error];
  /** Listed again, after `lost`. */
  restored: [];
  /** An attempt to renew or to register again has failed; it will be repeated. */
  retry: [error: Error];
}

/** One endpoint that stays listed as long as this process renews its lease. It emits no event after `close()`. */
export interface Registration extends Emitter<RegistrationEvents> {
  /** In canonical form. */
  readonly endpoint: string;
  readonly state: RegistrationState;
  /** Seconds for which the entry outlives this process, as granted by etcd. */
  readonly ttlSeconds: number;
  /** Deregisters the endpoint, within `requestTimeoutMs`. Never rejects: when etcd is unreachable, the lease expires. */
  close(): Promise<void>;
}

export interface RegisterOptions {
  /**
   * Seconds for which the entry outlives this process: an integer from 1 to 86400. etcd may grant more. Below 15, a change of etcd's leader
   * can remove live Coordinators from the list for a moment.
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
   * @throws EndpointSyntaxError for an endpoint that clients cannot use, including `unix` and wildcard addresses; TypeError for options; Error
   *   if the endpoint is already registered here, if etcd refuses (at once), or if it has not answered within `connectTimeoutMs`, naming each
   *   host's failure; the reason of `signal`.
   */
  register(endpoint: string, options?: RegisterOptions): Promise<Registration>;
}
