import type { RequestHandler } from 'express';
import type { ServerOptionName, ServerOptions } from '../../config/index.js';
import type { EndpointDirectory } from '../../directory/directory.js';
import type { EndpointProvider } from '../../index.js';
import type { Log } from '../log.js';

/** Where the cluster listing of a server comes from. */
export interface Coordinators {
  readonly provider: EndpointProvider;
  /** The same list with its changes and states, where a registry holds it. */
  readonly directory?: EndpointDirectory;
  /** Runs before the router: marks answers from a list that the registry has not confirmed. */
  readonly middleware?: RequestHandler;
  /** Registers this server, once it listens. */
  readonly join?: () => Promise<unknown>;
  /** The list is complete: whatever reviews it may begin. */
  readonly opened?: () => void;
  /** Deregisters this server; the list of the others stays. Never rejects. */
  readonly leave?: () => Promise<void>;
  /** The options that `replace` applies. A change of any other option of the list needs a restart. */
  readonly live: readonly ServerOptionName[];
  /** Applies another configuration: all of it or, if it throws, nothing. */
  readonly replace?: (options: ServerOptions) => void;
  readonly close: () => Promise<void>;
}

/** What a list is opened with. */
export interface Opening {
  readonly options: ServerOptions;
  /** What the server listens on: its address if it has no other. */
  readonly bound: () => Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Aborts when the server is to stop. */
  readonly stop: AbortSignal;
}

/** The configured address that clients get for this server. */
export function ownAddress({ advertisedEndpoint, myAddress }: ServerOptions): string | undefined {
  return advertisedEndpoint ?? myAddress;
}
