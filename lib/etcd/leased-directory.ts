import type { Emitter, EndpointDirectory } from '../directory/directory.js';

/** `registered`: listed by the engine. `lost`: not, or not known, and being put back. `closed`: after `close()`. */
export type RegistrationState = 'registered' | 'lost' | 'closed';

/** The events of a registration and what their listeners get. */
export interface RegistrationEvents {
  /** The engine has dropped the endpoint, or has not renewed its lease for `ttlSeconds`: others no longer list it. */
  lost: [reason: Error];
  /** Listed again, after `lost`. */
  restored: [];
  /** An attempt to renew or to register again has failed; the next one follows by itself. */
  retry: [error: Error];
}

/** One endpoint that stays listed as long as this process renews its lease. */
export interface Registration extends Emitter<RegistrationEvents> {
  /** In canonical form. */
  readonly endpoint: string;
  readonly state: RegistrationState;
  /** How long the entry outlives this process, in seconds, as the engine has granted it. */
  readonly ttlSeconds: number;
  /** Takes the endpoint off the list, within `requestTimeoutMs`. Never rejects: where the engine is away, the lease runs out. */
  close(): Promise<void>;
}

export interface RegisterOptions {
  /**
   * How long the entry outlives this process, in seconds: an integer from 1 to 86400, default 15. The engine may grant more.
   * Below 15 a change of etcd's leader can take living Coordinators off the list for a moment.
   */
  readonly ttlSeconds?: number;
  /** Gives up registering. It has no effect on a registration that is complete. */
  readonly signal?: AbortSignal;
}

/** A directory whose members list themselves. */
export interface LeasedDirectory extends EndpointDirectory {
  /**
   * Lists an endpoint: resolves once it is listed, and keeps it listed until `close()` of the registration or the directory.
   *
   * @throws EndpointSyntaxError for what no client could connect to, `unix` and wildcard addresses among it; TypeError for
   *   options; Error when the endpoint is registered here already, when the engine refuses (at once), or when it has not
   *   answered within `connectTimeoutMs`; the reason of `signal`.
   */
  register(endpoint: string, options?: RegisterOptions): Promise<Registration>;
}
