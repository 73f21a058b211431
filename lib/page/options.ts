import type { DirectoryStatus } from '../directory/directory.js';
import { ROLE, roleOf, type ServerRole } from '../options/role.js';
import { boolean, optional, TEXT, timeLimit } from '../options/rules.js';
import type { EndpointProvider, EndpointQuery } from '../index.js';
import { kindOf, readOptions, type OptionRule } from '../options/read-options.js';

/** What the page needs of a directory: every `EndpointDirectory` has it, with health checks or without. */
export interface PageDirectory {
  on(event: 'change', listener: (endpoints: readonly string[]) => void): unknown;
  status(): DirectoryStatus;
}

/** A provider as `createEndpointRouter` takes it: an `EndpointProvider` is one. The page asks it for the database `_system`. */
export type PageProvider = (query: Pick<EndpointQuery, keyof EndpointQuery>) => ReturnType<EndpointProvider>;

/** The options of `createListingPage`. Only `endpoints` is required; an explicit `undefined` is refused. */
export interface ListingPageOptions {
  /** The provider, or the fixed list, that `createEndpointRouter` has. */
  readonly endpoints: PageProvider | readonly string[];
  /**
   * What this server is, as `createEndpointRouter` has it: only a `coordinator` has a cluster listing.
   * @defaultValue `'single'`
   */
  readonly role?: ServerRole | (() => ServerRole);
  /**
   * The directory whose list the provider gives: its state is shown, its changes make the timeline, and its entries say what became of
   * each endpoint, and how healthy it is. Of a directory that lists anything else than clients get, the page shows the state alone.
   * Without one, the page knows only what it sees while it is open.
   * @defaultValue none
   */
  readonly directory?: PageDirectory;
  /**
   * Whether to mark the endpoints that drivers misread, skip or fail at, as the rules of `check --drivers` have it.
   * @defaultValue false
   */
  readonly drivers?: boolean;
  /**
   * Whether to show what is behind this server, for a page that clients cannot open: the source of a translated endpoint, the entries
   * that are skipped, and failures in their own words, which may name a registry or an upstream.
   * @defaultValue false
   */
  readonly showSources?: boolean;
  /**
   * The heading of the page.
   * @defaultValue `'Endpoint listing'`
   */
  readonly title?: string;
  /**
   * How many milliseconds the provider may take; `Infinity` sets no limit.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
}

const ENDPOINTS: OptionRule<ListingPageOptions['endpoints']> = {
  allowed: 'a function or an array of endpoints',
  read: (value) =>
    typeof value === 'function' || isTexts(value) ? (value as ListingPageOptions['endpoints']) : undefined,
};
const DIRECTORY: OptionRule<PageDirectory> = {
  allowed: 'a directory',
  show: kindOf,
  read: (value) => (isPageDirectory(value) ? value : undefined),
};
const RULES = {
  endpoints: ENDPOINTS,
  role: ROLE,
  directory: optional(DIRECTORY),
  drivers: boolean(false),
  showSources: boolean(false),
  title: { ...TEXT, fallback: 'Endpoint listing' },
  timeoutMs: timeLimit(5000),
};

/** The options with their defaults, prepared. */
export type PageSettings = ReturnType<typeof pageSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed. */
export function pageSettings(options: unknown) {
  const { endpoints, role, ...settings } = readOptions('createListingPage', options, RULES);
  const list = typeof endpoints === 'function' ? [] : Object.freeze(Array.from(endpoints));
  const provider: PageProvider = typeof endpoints === 'function' ? endpoints : () => list;
  // Throws when the role cannot be told.
  return Object.freeze({ ...settings, provider, role: () => roleOf(role) });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPageDirectory(value: unknown): value is PageDirectory {
  const { status, on } = Object(value) as { status?: unknown; on?: unknown };
  return typeof status === 'function' && typeof on === 'function';
}
