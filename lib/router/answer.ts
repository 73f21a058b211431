import { STATUS_CODES } from 'node:http';
import type { EndpointQuery } from './provider.js';

/** The headers of a response. */
export interface Head {
  /** One by one, as `setHeader` takes them. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** Names and values alternating, as `writeHead` takes them. */
  readonly flat: string[];
}

/** A response for one of the listings, created once and written often. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
  /**
   * The same bytes as a `latin1` string, for a short body: Node sends a string in one piece with the head, but a buffer after it.
   * `undefined` for a long body, which would only be copied once more.
   */
  readonly text: string | undefined;
  /** The head and, for the single-server listing, those with a `Link` to its successor, from `/_api/endpoint` and `/_api/endpoint/`. */
  readonly head: Head;
  readonly headWithLink: Head;
  readonly headWithLinkBehindSlash: Head;
}

/** The body of every error of both routes. */
export interface ErrorBody {
  /** The HTTP status. */
  readonly code: number;
  readonly error: true;
  readonly errorMessage: string;
  /** The number by which drivers tell errors apart: 4, 9, 11, 405, 503, 1229, 1230, or the provider's own. */
  readonly errorNum: number;
}

/** The longest body, in bytes, that is written as a string. */
const SHORT = 16_384;

type Lines = Head['lines'];

/** 2018-12-06, the day of version 3.4.0, in the form of RFC 9745. */
const DEPRECATION: Lines = [['Deprecation', '@1544054400']];
/** Relative (RFC 3986, section 4.2): correct below every mount path and behind every proxy, and repeats no part of the request. */
const LINK: Lines = [['Link', '<../_api/cluster/endpoints>; rel="successor-version"']];
const LINK_BEHIND_SLASH: Lines = [['Link', '<../../_api/cluster/endpoints>; rel="successor-version"']];

/** Serializes without `res.json`, so that no setting of the host application changes a byte. */
export function createAnswer(listing: EndpointQuery['listing'], status: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  const lines: Lines = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-store'],
    ...(status === 405 ? ([['Allow', 'GET']] as const) : []),
    ...(listing === 'server' ? DEPRECATION : []),
  ];
  const head = headOf(lines);
  return {
    status,
    statusText: statusText(status),
    body,
    text: body.length > SHORT ? undefined : body.toString('latin1'),
    head,
    headWithLink: listing === 'server' ? headOf([...lines, ...LINK]) : head,
    headWithLinkBehindSlash: listing === 'server' ? headOf([...lines, ...LINK_BEHIND_SLASH]) : head,
  };
}

/** The response for an error, in the drivers' format. */
export function errorAnswer(
  listing: EndpointQuery['listing'],
  code: number,
  errorNum: number,
  errorMessage: string,
): Answer {
  return createAnswer(listing, code, { code, error: true, errorMessage, errorNum } satisfies ErrorBody);
}

function headOf(lines: Lines): Head {
  return { lines, flat: lines.flat() };
}

/** The standard reason phrase of a status. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Error';
}
