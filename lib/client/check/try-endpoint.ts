import { isIP } from 'node:net';
import { EndpointSyntaxError, SCHEMES } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { inTime } from '../../listing/in-time.js';
import { withoutSecrets } from '../../listing/listing-error.js';
import type { ParseBody } from '../../listing/read-answer.js';
import { listingPath } from '../../endpoint/server-address.js';
import { askInSteps, type Progress, type AskTarget } from './ask.js';
import { failureOf, type Failure } from './failure.js';
import type { CheckSettings } from './options.js';

/** The outcome for an endpoint: its list, or why there is none. */
export interface Attempt {
  /** As the listing has it. */
  readonly endpoint: string;
  readonly ms: number;
  /** The connected address and port; `undefined` without a connection. */
  readonly peer: string;
  readonly outcome: readonly string[] | Failure;
}

/** How answers are asked for and read: nearly all of them are alike, and each is read once. */
export interface ReadingSettings extends CheckSettings {
  readonly parse: ParseBody;
  readonly read: (body: unknown) => readonly string[];
}

/** The spelling that every driver reads; some drivers misread others. */
const CANONICAL = /^(?:tcp|ssl|http|https):\/\/[^/]+:[0-9]+$/;

/** Tries one endpoint step by step, within the time limit as a whole. */
export async function tryEndpoint(endpoint: string, settings: ReadingSettings, headers: Headers): Promise<Attempt> {
  const startedAt = performance.now();
  const progress: Progress = { step: 'dns', peer: '' };
  let outcome: Attempt['outcome'];
  try {
    outcome = await endpointsOf(endpointTarget(endpoint, settings), settings, headers, progress);
  } catch (error) {
    settings.signal?.throwIfAborted();
    outcome =
      error instanceof EndpointSyntaxError
        ? { result: 'syntax', detail: error.reason }
        : failureOf(withoutSecrets(error, headers), progress);
  }
  return { endpoint, ms: Math.round(performance.now() - startedAt), peer: progress.peer, outcome };
}

async function endpointsOf(
  target: AskTarget,
  settings: ReadingSettings,
  headers: Headers,
  progress: Progress,
): Promise<readonly string[]> {
  if (target.isAddress) progress.step = 'connect';
  const { timeoutMs, signal } = settings;
  return inTime({ request: 'the check', timeoutMs, signal }, async (signal) =>
    settings.read(await askInSteps(target, { ...settings, headers }, signal, progress)),
  );
}

/** @throws EndpointSyntaxError for what a driver cannot read. */
function endpointTarget(text: string, { listing, database }: CheckSettings): AskTarget {
  const { scheme, host, path } = parseEndpoint(text);
  const route = listingPath(listing, database);
  if (SCHEMES[scheme].isSocketFile) {
    if (listing === 'cluster')
      throw new EndpointSyntaxError(text, 'drivers take no unix socket from a cluster listing');
    return { url: new URL(`http://localhost${route}`), socketPath: String(path), isAddress: true };
  }
  if (!CANONICAL.test(text)) {
    throw new EndpointSyntaxError(text, 'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https');
  }
  const url = new URL(route, text.replace(/^tcp:/, 'http:').replace(/^ssl:/, 'https:'));
  return { url, isAddress: isIP(host) !== 0 };
}
