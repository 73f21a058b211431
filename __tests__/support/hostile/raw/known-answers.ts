/** Every answer that the host can give to a request without a plan, but for the lines of the head that Node adds to it. */
interface KnownAnswer {
  /** The status, and the errorNum or who answered. */
  readonly name: string;
  readonly head: string;
  readonly body: string;
}

const LINK = 'Link: <../_api/cluster/endpoints>; rel="successor-version"';
const LINK_BEHIND_SLASH = 'Link: <../../_api/cluster/endpoints>; rel="successor-version"';
const FOREIGN = 'operation only allowed in system database';

function head(status: string, ...lines: string[]): string {
  return [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
}

/** An answer of the router for the cluster listing, or with the further lines for the single-server listing. */
function ours(name: string, status: string, body: string, ...lines: string[]): KnownAnswer {
  const length = `Content-Length: ${String(body.length)}`;
  const common = ['Content-Type: application/json; charset=utf-8', 'X-Content-Type-Options: nosniff', length];
  return { name, head: head(status, ...common, 'Cache-Control: no-store', ...lines), body };
}

function both(name: string, status: string, body: string, ...lines: string[]): KnownAnswer[] {
  return [LINK, LINK_BEHIND_SLASH].map((link) => ours(name, status, body, ...lines, 'Deprecation: @1544054400', link));
}

function error(code: number, errorNum: number, errorMessage: string): string {
  return JSON.stringify({ code, error: true, errorMessage, errorNum });
}

const INVALID_NAME = error(400, 1229, 'database name invalid');
const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  ours('200', '200 OK', '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}'),
  ...both('200', '200 OK', '[{"endpoint":"http://10.0.0.1:8529"}]'),
  ours('403 / 1230', '403 Forbidden', error(403, 1230, FOREIGN)),
  ...both('400 / 1230', '400 Bad Request', error(400, 1230, FOREIGN)),
  ours('400 / 1229', '400 Bad Request', INVALID_NAME),
  ...both('400 / 1229', '400 Bad Request', INVALID_NAME),
  ours('405', '405 Method Not Allowed', error(405, 405, 'only the GET method is allowed'), 'Allow: GET'),
  ...both('405', '405 Method Not Allowed', error(405, 405, 'method not supported'), 'Allow: GET'),
  { name: '404 host', head: head('404 Not Found', 'Content-Length: 9'), body: 'not ours\n' },
  { name: '400 host', head: head('400 Bad Request', 'Content-Length: 11'), body: 'host error\n' },
  { name: '200 alive', head: head('200 OK', 'Content-Length: 6'), body: 'alive\n' },
  { name: '100', head: head('100 Continue'), body: '' },
  { name: '400 node', head: head('400 Bad Request', 'Transfer-Encoding: chunked'), body: '0\r\n\r\n' },
  { name: '400 node', head: head('400 Bad Request'), body: '' },
  { name: '408 node', head: head('408 Request Timeout'), body: '' },
  { name: '413 node', head: head('413 Payload Too Large'), body: '' },
  { name: '417 node', head: head('417 Expectation Failed', 'Transfer-Encoding: chunked'), body: '0\r\n\r\n' },
  { name: '431 node', head: head('431 Request Header Fields Too Large'), body: '' },
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
    const answer = KNOWN_ANSWERS.find((known) => rest.startsWith(known.head));
    if (answer === undefined) return [...names, `unknown: ${rest}`];
    const hasBody = rest.startsWith(answer.head + answer.body);
    names.push(hasBody ? answer.name : `${answer.name} bodiless`);
    rest = rest.slice(answer.head.length + (hasBody ? answer.body.length : 0));
  }
  return names;
}
