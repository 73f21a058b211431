import type { Request, RequestHandler } from 'express';
import type { ServerOptionName, ServerOptions } from '../../config/index.js';
import type { DirectoryStatus, EndpointDirectory } from '../../directory/directory.js';
import type { Log } from '../log.js';
import type { ClientList } from './client-list.js';
import type { ServedEndpoints } from './horizon-choice.js';

/** Where the cluster listing of a server comes from. */
export interface ListSource {
  readonly directory: EndpointDirectory;
  /** While the list is not complete before the server listens: resolves when it is. */
  readonly untilListed?: () => Promise<unknown> | undefined;
  /** Runs before the router: marks answers from a list that the registry has not confirmed. */
  readonly middleware?: RequestHandler;
  /** Registers this server, once it listens. */
  readonly join?: () => Promise<unknown>;
  /** Where this server registers: whether its own key is held now. */
  readonly isRegistered?: () => boolean;
  /** Deregisters this server; the list of the others stays. Never rejects. */
  readonly deregister?: () => Promise<void>;
  /** The options that `replace` applies. A change of any other option of the list needs a restart. */
  readonly live: readonly ServerOptionName[];
  /** Applies another configuration: all of it or, if it throws, nothing. */
  readonly replace?: (options: ServerOptions) => void;
  readonly close: () => Promise<void>;
}

/** The lists as clients get them. */
export interface Coordinators extends Omit<ListSource, 'directory' | 'replace' | 'deregister' | 'untilListed'> {
  /** One for each horizon, behind that of all other clients. */
  readonly lists: () => readonly ClientList[];
  /** The list for the client of a request. */
  readonly listFor: (req: Request) => ClientList;
  /** Whether a proxy at this address says whose request it passes on. */
  readonly isTrusted: (address: string) => boolean;
  /** The list is complete: what reviews it may begin. */
  readonly opened: () => Promise<void>;
  readonly replace: (options: ServerOptions) => Promise<void>;
  /** Takes these endpoints, this server's own, off the list, whatever its source says; then deregisters. Never rejects. */
  readonly leave: (own: readonly string[]) => Promise<void>;
}

/** What a list is opened with. */
export interface Opening {
  readonly options: ServerOptions;
  /** What the server listens on: its address if it has no other. */
  readonly bound: () => Promise<readonly string[]>;
  /** Which of the configured endpoints each server listens on; none before it listens. */
  readonly served: () => ServedEndpoints;
  /** Creates what answers with a list. */
  readonly handlerFor: (list: Pick<ClientList, 'horizon' | 'directory' | 'provider' | 'log'>) => RequestHandler;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Aborts when the server is to stop. */
  readonly stop: AbortSignal;
}

/** The configured address that clients get for this server. */
export function ownAddress({ advertisedEndpoint, myAddress }: ServerOptions): string | undefined {
  return advertisedEndpoint ?? myAddress;
}

/** Whether the whole list is served because nothing on it is healthy. */
export function isAllDown({ healthy, count }: Pick<DirectoryStatus, 'healthy' | 'count'>): boolean {
  return healthy === 0 && count > 0;
}
