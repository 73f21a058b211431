import { secretFrom } from '../../command-line/secret-variables.js';
import { createUpstreamDirectory, listAge, type EndpointDirectory } from '../../upstream/index.js';
import { ownAddress, type ListSource, type Opening } from './coordinators.js';
import { retryOpening } from './retry-opening.js';
import { certificateRemedy } from '../remedies.js';
import { tlsFiles } from './tls-files.js';
import { logDirectory, logList } from '../log.js';

const VARIABLE = 'ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION';
const EXAMPLE = `as "Basic $(printf %s 'root:PASSWORD' | base64)"`;

/** A scheme, and the credentials behind it (RFC 9110, section 11.4). */
const CREDENTIALS = /^([!#$%&'*+.^_`|~\w-]+) +(\S.*)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The Coordinators that the servers of an upstream list, and this server, if it knows its own address. */
export async function upstreamCoordinators(opening: Opening): Promise<ListSource> {
  const { options, env, log, stop } = opening;
  const { upstreams: servers, upstreamDatabase: database } = options;
  const own = ownAddress(options);
  const { headers, remedyFor: authorizationRemedy } = upstreamAuthorization(env);
  const remedyFor = (failure: Error): string =>
    authorizationRemedy(failure) + certificateRemedy(failure.message, 'cluster.upstream-cafile', options);
  const upstream = {
    servers,
    signal: stop,
    include: own === undefined ? [] : [own],
    ...(database === undefined ? {} : { database }),
    ...(headers === undefined ? {} : { headers }),
    ...tlsFiles({
      'cluster.upstream-cafile': options.upstreamCafile,
      'cluster.upstream-keyfile': options.upstreamKeyfile,
    }),
  };
  const open = (): Promise<EndpointDirectory> => createUpstreamDirectory(upstream);
  const onFailure = { isFinal: isUpstreamRefusal, remedyFor };
  const directory = await retryOpening('upstream unavailable', open, opening, onFailure);
  logList(directory.provider(), log);
  logDirectory(directory, log, remedyFor);
  return {
    directory,
    middleware: listAge(directory),
    // The upstream holds the list.
    live: [],
    close: () => directory.close(),
  };
}

/** The credentials for the upstream. */
export interface UpstreamAuthorization {
  /** None when the variable is not set. */
  readonly headers?: Headers;
  /** How an operator can fix a refusal; empty for any other failure. */
  readonly remedyFor: (failure: unknown) => string;
}

/**
 * Reads the `Authorization` header for the upstream from the environment.
 *
 * @throws Error for a value that no server could accept. It does not show the value.
 */
export function upstreamAuthorization(env: Readonly<Record<string, string | undefined>>): UpstreamAuthorization {
  const value = secretFrom(env, VARIABLE) ?? '';
  if (value === '') return { remedyFor: remedy(`no Authorization was sent: set ${VARIABLE}, ${EXAMPLE}`) };
  const [, scheme = '', credentials = ''] = CREDENTIALS.exec(value) ?? [];
  if (scheme === '') throw new Error(`${VARIABLE} must be a scheme and its credentials, ${EXAMPLE}`);
  if (scheme.toLowerCase() === 'basic') checkUserAndPassword(credentials);
  try {
    return {
      headers: new Headers({ Authorization: value }),
      remedyFor: remedy(`the Authorization in ${VARIABLE} was refused`),
    };
  } catch {
    throw new Error(`${VARIABLE} cannot be the value of a header`);
  }
}

/** RFC 7617: base64 of user, colon and password, none of them with a control character. */
function checkUserAndPassword(credentials: string): void {
  const text = BASE64.test(credentials) ? Buffer.from(credentials, 'base64').toString('latin1') : '';
  if (!text.includes(':')) throw new Error(`${VARIABLE} must have base64 of user:password behind Basic, ${EXAMPLE}`);
  if (/[\r\n]$/.test(text)) {
    throw new Error(
      `${VARIABLE} holds a password that ends in a line break, as echo writes it: use printf, ${EXAMPLE}`,
    );
  }
}

function remedy(text: string): UpstreamAuthorization['remedyFor'] {
  return (failure) => (isUpstreamRefusal(failure) ? `; ${text}` : '');
}

/** Whether a server has rejected the credentials. */
function isUpstreamRefusal(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { code, cause } = failure as { code?: unknown; cause?: unknown };
  if (code === 401 || code === 403) return true;
  return failure instanceof AggregateError ? failure.errors.some(isUpstreamRefusal) : isUpstreamRefusal(cause);
}
