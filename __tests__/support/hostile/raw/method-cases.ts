import { METHODS } from 'node:http';
import { requestBytes, type HandMadeCase } from './case.js';

/** Words that are no methods, or methods in the wrong letter case. */
const NO_METHODS = ['get', 'Get', 'GETT', 'GE', 'FOO', 'G\0ET', 'GET:', '"GET"', 'GET,POST', '', '\u00ff', '%47ET'];

/** Every method that Node can read but GET and CONNECT. */
const OTHER_METHODS = METHODS.filter((method) => method !== 'GET' && method !== 'CONNECT');

/** How a request is made. */
export const METHOD_CASES: readonly HandMadeCase[] = [
  ...OTHER_METHODS.flatMap((method): HandMadeCase[] => {
    const answers = [method === 'HEAD' ? '405 bodiless' : '405'];
    return [
      { bytes: requestBytes(method, '/_api/endpoint'), answers },
      { bytes: requestBytes(method, '/_db/other/_api/cluster/endpoints'), answers },
    ];
  }),
  ...NO_METHODS.map((word): HandMadeCase => ({ bytes: requestBytes(word, '/_api/endpoint'), answers: ['400 node'] })),
  // No host takes a tunnel by accident: Node closes the connection when nobody listens for it.
  { bytes: requestBytes('CONNECT', 'a:8529'), answers: [] },
  { bytes: requestBytes('CONNECT', '/_api/endpoint'), answers: [] },
  { bytes: requestBytes('OPTIONS', '*'), answers: ['404 host'] },
  { bytes: requestBytes('POST', '/_api/endpoint', 'X-HTTP-Method-Override: GET'), answers: ['405'] },
  { bytes: requestBytes('POST', '/_api/endpoint?_method=GET'), answers: ['405'] },
];
