import type { Router } from 'express';
import type { EndpointRouterOptions } from '../index.js';
import { isIP } from 'node:net';
import { group, kindOf, readOptions, type OptionRule } from '../options/read-options.js';
import { boolean, callback, integer, oneOf, optional, TEXT } from '../options/rules.js';
import type { Credentials } from './authentication.js';

/** How a cluster for tests is made. Every option may be left out; none may be `undefined`. */
export interface TestClusterOptions extends Pick<EndpointRouterOptions, 'clusterDatabases' | 'notCoordinatorStatus'> {
  /**
   * How many coordinators there are, 1 to 100.
   * @defaultValue 3
   */
  readonly coordinators?: number;
  /**
   * Whether the coordinators speak TLS, with certificates of the authority {@link TestCluster.ca}.
   * @defaultValue false
   */
  readonly ssl?: boolean;
  /**
   * User and password that every route asks for, as `Basic`, or as `Bearer` with the token that `POST /_open/auth` gives for them.
   * `username` is `root` and `password` empty where they are left out.
   * @defaultValue no authentication: everybody is allowed, and every user gets a token
   */
  readonly auth?: Partial<Credentials>;
  /**
   * The one database that there is beside `_system`; another name is answered with 404 and errorNum 1228.
   * @defaultValue every name is a database
   */
  readonly database?: string;
  /**
   * The IP address that the coordinators listen on, and are listed with.
   * @defaultValue `'127.0.0.1'`
   */
  readonly host?: string;
  /**
   * The host name or IP address that the coordinators are listed with, and that their certificates are for, where it is not
   * {@link host}; needed where that is a wildcard address.
   */
  readonly advertisedHost?: string;
  /**
   * Adds routes of your own to a coordinator, in front of the others. Each is also below `/_db/:name`, and `res.locals.database` is
   * that name.
   */
  readonly routes?: (router: Router, coordinator: number) => void;
}

const HOST: OptionRule<string> = {
  allowed: 'an IP address',
  fallback: '127.0.0.1',
  read: (value) => (typeof value === 'string' && isIP(value) !== 0 ? value : undefined),
};
const WORD: OptionRule<string> = {
  allowed: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
  show: kindOf,
};
const RULES = {
  coordinators: integer(1, 100, 3),
  ssl: boolean(false),
  auth: optional(group({ username: { ...WORD, fallback: 'root' }, password: { ...WORD, fallback: '' } })),
  database: optional(TEXT),
  host: HOST,
  advertisedHost: optional(TEXT),
  routes: optional(callback<(router: Router, coordinator: number) => void>()),
  clusterDatabases: oneOf(['system', 'any'], 'system'),
  notCoordinatorStatus: oneOf([501, 403], 501),
};

/** The options, with their defaults. */
export type Settings = ReturnType<typeof testClusterSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed; never a password. */
export function testClusterSettings(options: TestClusterOptions) {
  return readOptions('startTestCluster', options, RULES);
}
