import { STATUS_CODES } from 'node:http';
import type { EndpointQuery } from './provider.js';

/** The headers of an answer, each with its value. */
export type Head = readonly (readonly [name: string, value: string])[];

/** An answer to a request for one of the listings, made once and written often. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
  /** The head, and for the single-server listing the heads that lead to its successor, from `/_api/endpoint` and `/_api/endpoint/`. */
  readonly head: Head;
  readonly headWithLink: Head;
  readonly headWithLinkBehindSlash: Head;
}

/** 2018-12-06, the day of version 3.4.0, in the form of RFC 9745. */
const DEPRECATION: Head = [['Deprecation', '@1544054400']];
/** Relative (RFC 3986, section 4.2): right under every mount path and behind every proxy, and no part of the request comes back. */
const LINK: Head = [['Link', '<../_api/cluster/endpoints>; rel="successor-version"']];
const LINK_BEHIND_SLASH: Head = [['Link', '<../../_api/cluster/endpoints>; rel="successor-version"']];

/** Serialises here, and not in `res.json`, so that no setting of the host application changes a byte. */
export function createAnswer(listing: EndpointQuery['listing'], status: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  const head: Head = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-store'],
    ...(status === 405 ? ([['Allow', 'GET']] as const) : []),
    ...(listing === 'server' ? DEPRECATION : []),
  ];
  return {
    status,
    statusText: statusText(status),
    body,
    head,
    headWithLink: listing === 'server' ? [...head, ...LINK] : head,
    headWithLinkBehindSlash: listing === 'server' ? [...head, ...LINK_BEHIND_SLASH] : head,
  };
}

/** The standard text of a status. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Error';
}
