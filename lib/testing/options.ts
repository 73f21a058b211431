import type { Router } from 'express';
import type { EndpointRouterOptions } from '../index.js';
import { isIP } from 'node:net';
import { bracketed } from '../endpoint/host.js';
import { coordinatorEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import { group, kindOf, readOptions, type OptionRule } from '../options/read-options.js';
import { boolean, callback, integer, oneOf, optional, TEXT } from '../options/rules.js';
import type { Credentials } from './authentication.js';

/** How a cluster for tests is made. Every option may be left out; none may be `undefined`. */
export interface TestClusterOptions extends Pick<EndpointRouterOptions, 'clusterDatabases' | 'notCoordinatorStatus'> {
  /**
   * How many coordinators there are, 1 to 100.
   * @defaultValue as many as there are {@link ports}, or else 3
   */
  readonly coordinators?: number;
  /**
   * The port of each coordinator, for a container that publishes them, or a file that names them.
   * @defaultValue free ports, which differ from start to start
   */
  readonly ports?: readonly number[];
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
   * A database that there is from the start, beside `_system`. Drivers make more of them; a name that is none is answered with 404 and
   * errorNum 1228.
   * @defaultValue only `_system`
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
/** A text that may be empty, and that no message shows. */
export const WORD: OptionRule<string> = {
  allowed: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
  show: kindOf,
};
const PORTS: OptionRule<readonly number[]> = {
  allowed: 'an array of 1 to 100 different ports from 1 to 65535',
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > 100) return undefined;
    const ports: readonly unknown[] = value;
    const isPort = (port: unknown): port is number =>
      Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
    return ports.every(isPort) && new Set(ports).size === ports.length ? Object.freeze(ports.slice()) : undefined;
  },
};
const RULES = {
  coordinators: optional(integer(1, 100, 3)),
  ports: optional(PORTS),
  ssl: boolean(false),
  auth: optional(group({ username: { ...WORD, fallback: 'root' }, password: { ...WORD, fallback: '' } })),
  database: optional(TEXT),
  host: HOST,
  advertisedHost: optional(TEXT),
  routes: optional(callback<(router: Router, coordinator: number) => void>()),
  clusterDatabases: oneOf(['system', 'any'], 'system'),
  notCoordinatorStatus: oneOf([501, 403], 501),
};

/** The options, with their defaults and what follows from them. */
export type Settings = ReturnType<typeof testClusterSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed; never a password. */
export function testClusterSettings(options: TestClusterOptions) {
  const given = readOptions('startTestCluster', options, RULES);
  const { advertisedHost, host, ports, ssl } = given;
  const coordinators = given.coordinators ?? ports?.length ?? 3;
  if (ports !== undefined && ports.length !== coordinators) {
    const count = `${String(coordinators)}, got ${String(ports.length)}`;
    throw new TypeError(`startTestCluster: option ports must have a port for each of the coordinators: ${count}`);
  }
  const scheme = ssl ? { ofEndpoint: 'ssl', ofUrl: 'https' } : { ofEndpoint: 'tcp', ofUrl: 'http' };
  const listedHost = bracketed(advertisedHost ?? host);
  const listed = `${scheme.ofEndpoint}://${listedHost}:1`;
  if (advertisedHost !== undefined) {
    readEachEndpoint('startTestCluster: option advertisedHost', [listed], coordinatorEndpoint);
  } else if (!isListable(listed)) {
    throw new TypeError(
      `startTestCluster: option advertisedHost is missing; clients cannot connect to the host ${host}`,
    );
  }
  return Object.freeze({ ...given, coordinators, listedHost, scheme });
}

function isListable(endpoint: string): boolean {
  try {
    return coordinatorEndpoint(endpoint) !== '';
  } catch {
    return false;
  }
}
