import { clusterBody, endpointsOf } from './lists.js';
import type { Ask, Variant } from './variant.js';

/** What goes to a server, and what has to come back. */
export interface Dialogue {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

/** The one right answer to each question; the bench stops when a server gives another. */
export function dialogueOf({ ask, size }: Pick<Variant, 'ask' | 'size'>): Dialogue {
  const endpoints = endpointsOf(size);
  const dialogues: Readonly<Record<Ask, () => Dialogue>> = {
    cluster: () => ({
      method: 'GET',
      path: '/_api/cluster/endpoints',
      status: 200,
      body: JSON.stringify(clusterBody(endpoints)),
    }),
    server: () => ({
      method: 'GET',
      path: '/_api/endpoint',
      status: 200,
      body: JSON.stringify(endpoints.map((endpoint) => ({ endpoint: endpoint.replace('tcp:', 'http:') }))),
    }),
    405: () => ({
      method: 'DELETE',
      path: '/_api/endpoint',
      status: 405,
      body: '{"code":405,"error":true,"errorMessage":"method not supported","errorNum":405}',
    }),
    403: () => ({
      method: 'GET',
      path: '/_db/other/_api/cluster/endpoints',
      status: 403,
      body: '{"code":403,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    }),
    501: () => ({
      method: 'GET',
      path: '/_api/cluster/endpoints',
      status: 501,
      body: '{"code":501,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":9}',
    }),
    400: () => ({
      method: 'GET',
      path: '/_db/other/_api/endpoint',
      status: 400,
      body: '{"code":400,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    }),
  };
  return dialogues[ask]();
}

export function requestText({ method, path }: Dialogue): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost:8529\r\nAccept: application/json\r\n\r\n`;
}

/** Why an answer, as it came over the wire, is wrong; `undefined` when it is right. */
export function faultOf(answer: string, { status, body }: Dialogue): string | undefined {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end + 2).toLowerCase();
  const faults = [
    head.startsWith(`http/1.1 ${String(status)} `) ? [] : [`its status is not ${String(status)}`],
    head.includes('\r\ncontent-type: application/json') ? [] : ['it is not JSON'],
    head.includes(`\r\ncontent-length: ${String(body.length)}\r\n`) ? [] : [`its length is not ${String(body.length)}`],
    answer.slice(end + 4) === body ? [] : ['its body is another one'],
  ].flat();
  return faults.length === 0 ? undefined : `${faults.join(', ')}: ${answer.slice(0, 600)}`;
}
