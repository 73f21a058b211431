import type { RawOutcome } from './connection.js';

/** An answer that the host can give to a request without a plan, but for the lines of the head that Node adds to it. */
interface KnownAnswer {
  /** The status, and the errorNum or who answered. */
  readonly name: string;
  readonly head: string;
  readonly body: string;
}

function known(name: string, status: string, body: string, ...lines: string[]): KnownAnswer {
  return { name, head: [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n'), body };
}

/** An answer of the router for the cluster listing, or with the further lines for the single-server listing. */
function ours(name: string, status: string, body: string, ...lines: string[]): KnownAnswer {
  const length = `Content-Length: ${String(body.length)}`;
  const common = ['Content-Type: application/json; charset=utf-8', 'X-Content-Type-Options: nosniff', length];
  return known(name, status, body, ...common, 'Cache-Control: no-store', ...lines);
}

function both(name: string, status: string, body: string, ...lines: string[]): KnownAnswer[] {
  return ['..', '../..'].map((up) =>
    ours(
      name,
      status,
      body,
      ...lines,
      'Deprecation: @1544054400',
      `Link: <${up}/_api/cluster/endpoints>; rel="successor-version"`,
    ),
  );
}

function error(code: number, errorNum: number, errorMessage: string): string {
  return JSON.stringify({ code, error: true, errorMessage, errorNum });
}

const FOREIGN = 'operation only allowed in system database';
const INVALID_NAME = error(400, 1229, 'database name invalid');
const CHUNKED = 'Transfer-Encoding: chunked';
const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  ours('200', '200 OK', '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}'),
  ...both('200', '200 OK', '[{"endpoint":"http://10.0.0.1:8529"}]'),
  ours('403 / 1230', '403 Forbidden', error(403, 1230, FOREIGN)),
  ...both('400 / 1230', '400 Bad Request', error(400, 1230, FOREIGN)),
  ours('400 / 1229', '400 Bad Request', INVALID_NAME),
  ...both('400 / 1229', '400 Bad Request', INVALID_NAME),
  ours('405', '405 Method Not Allowed', error(405, 405, 'only the GET method is allowed'), 'Allow: GET'),
  ...both('405', '405 Method Not Allowed', error(405, 405, 'method not supported'), 'Allow: GET'),
  known('404 host', '404 Not Found', 'not ours\n', 'Content-Length: 9'),
  known('400 host', '400 Bad Request', 'host error\n', 'Content-Length: 11'),
  known('100', '100 Continue', ''),
  known('400 node', '400 Bad Request', '0\r\n\r\n', CHUNKED),
  known('400 node', '400 Bad Request', ''),
  known('408 node', '408 Request Timeout', ''),
  known('413 node', '413 Payload Too Large', ''),
  known('417 node', '417 Expectation Failed', '0\r\n\r\n', CHUNKED),
  known('431 node', '431 Request Header Fields Too Large', ''),
];

/** Lines of a head that depend on the time or on what becomes of the connection. */
const CHANGING_LINES = /^(?:Date|Connection|Keep-Alive): [^\r\n]*\r\n/gm;

/**
 * Reads the bytes of a connection as a row of known answers, and names each; `bodiless`, behind the name, is the answer to a HEAD.
 * What is no known answer comes last, as it is: it is a fault.
 */
export function namesOfAnswers(bytes: Buffer): string[] {
  const names: string[] = [];
  let rest = bytes.toString('latin1').replace(CHANGING_LINES, '');
  while (rest !== '') {
    const answer = KNOWN_ANSWERS.find(({ head }) => rest.startsWith(head));
    if (answer === undefined) return [...names, `unknown: ${rest}`];
    const hasBody = rest.startsWith(answer.head + answer.body);
    names.push(hasBody ? answer.name : `${answer.name} bodiless`);
    rest = rest.slice(answer.head.length + (hasBody ? answer.body.length : 0));
  }
  return names;
}

/**
 * A target that may be answered with a listing: read here once more, by other means than the router's, and rather too
 * generously in all but the database. The groups are the names behind `/_db/`, in the mount path and below it.
 */
const LISTING_TARGET =
  /^(?:https?:\/\/[^/?#]*)?(?:\/v1\/*(?=\/)|\/tenant\/_db\/([^/?#]+)\/*(?=\/))?(?:\/_db\/([^/?#]+))?\/_api\/(?:cluster\/endpoints|endpoint)\/?(?:\?.*)?$/i;

/** What is wrong with the answers to some bytes, whatever they were: nothing, if all is well. */
export function faultsOf(sent: string, { bytes, isClosed }: RawOutcome): string[] {
  const names = namesOfAnswers(bytes);
  const count = (name: RegExp): number => names.filter((each) => name.test(each)).length;
  // At the most how many listings they can ask for, wherever in them the requests begin.
  const listings = [...sent.matchAll(/GET +([^\s]+)/g)].filter(([, target = '']) => namesSystemOnly(target));
  const faults = names.filter((name) => name.startsWith('unknown'));
  if (!isClosed) faults.push('the connection was held for a minute');
  if (count(/^200$/) > listings.length) faults.push('a listing that nobody may ask for');
  if (count(/bodiless$/) > sent.split('HEAD ').length - 1) faults.push('an answer without its body');
  return faults;
}

function namesSystemOnly(target: string): boolean {
  const match = LISTING_TARGET.exec(target);
  try {
    return match?.slice(1).every((name?: string) => decodeURIComponent(name ?? '_system') === '_system') === true;
  } catch {
    return false;
  }
}
