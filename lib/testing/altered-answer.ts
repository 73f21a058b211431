import { deflateSync, gzipSync } from 'node:zlib';
import { withBody, type CapturedAnswer } from './captured-answer.js';
import type { EntriesTrouble, ShapeTrouble } from './trouble.js';
import type { TroubleSettings } from './trouble-rules.js';

/** The troubles that put one answer in the place of another; all others are about how it is delivered. */
export type AlteringTrouble = Extract<
  TroubleSettings,
  { kind: 'status' | 'answer' | 'not-json' | 'shape' | 'entries' | 'redirect' | 'proxy-page' | 'gzip' }
>;

/** A loopback port where nothing listens. */
const DEAD_ADDRESS = '127.0.0.1:1';
const PRIVATE_ADDRESSES = ['10.255.255.1:8529', '192.168.255.1:8529', 'coordinator-1.cluster.internal:8529'];
const MALFORMED_ENTRIES = [
  'tcp://:8529',
  'tcp://::1:8529',
  'tcp://[fe80::1%eth0]:8529',
  '127.0.0.1:8529',
  ' tcp://127.0.0.1:8529 ',
  'tcp://127.0.0.1:70000',
];

/** What a client gets instead of `answer`. */
export function alteredAnswer(answer: CapturedAnswer, trouble: AlteringTrouble, next: string): CapturedAnswer {
  switch (trouble.kind) {
    case 'status': {
      const { status, errorMessage, errorNum = status } = trouble;
      return jsonAnswer({ code: status, error: status >= 400, errorMessage, errorNum }, status);
    }
    case 'answer':
      return { status: trouble.status, headers: Object.entries(trouble.headers), body: Buffer.from(trouble.body) };
    case 'not-json':
      return fresh(200, 'application/json; charset=utf-8', 'this is not JSON');
    case 'shape':
      return listingWith(answer, SHAPED[trouble.shape]);
    case 'entries':
      return listingWith(answer, ({ endpoints, of }) => {
        const scheme = (endpoints[0] ?? 'tcp:').replace(/:.*/s, '');
        return of(LISTED[trouble.entries](endpoints, scheme, trouble.count).map(asEntry));
      });
    case 'redirect':
      return withBody({ status: trouble.status, headers: [], body: NO_BYTES }, NO_BYTES, {
        Location: trouble.location ?? next,
      });
    case 'proxy-page':
      return fresh(
        trouble.status,
        'text/html',
        '<html>\r\n<head><title>Bad Gateway</title></head>\r\n<body>\r\n<center><h1>Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
      );
    case 'gzip':
      return withBody(answer, COMPRESS[trouble.coding](answer.body), { 'Content-Encoding': trouble.coding });
  }
}

const COMPRESS = { gzip: gzipSync, deflate: deflateSync };
const NO_BYTES = Buffer.alloc(0);

function fresh(status: number, contentType: string, body: string): CapturedAnswer {
  return withBody({ status, headers: [], body: NO_BYTES }, Buffer.from(body), { 'Content-Type': contentType });
}

function jsonAnswer(body: unknown, status: number): CapturedAnswer {
  return fresh(status, 'application/json; charset=utf-8', JSON.stringify(body));
}

/** A listing that an answer holds: of a cluster, in an object, or of a server, an array. */
interface Listing {
  readonly endpoints: readonly string[];
  /** A body of the same kind with something else where the entries were. */
  readonly of: (entries: unknown) => unknown;
  /** A body of the same kind without its entries. */
  readonly without: unknown;
}

/** Refusals are left as they are: there is no listing in them. */
function listingWith(answer: CapturedAnswer, change: (listing: Listing) => unknown): CapturedAnswer {
  if (answer.status !== 200) return answer;
  const body = JSON.parse(answer.body.toString()) as { endpoints: Entry[] } | Entry[];
  const listing: Listing = Array.isArray(body)
    ? { endpoints: body.map(ofEntry), of: (entries) => entries, without: {} }
    : {
        endpoints: body.endpoints.map(ofEntry),
        of: (entries) => ({ error: false, code: 200, endpoints: entries }),
        without: { error: false, code: 200 },
      };
  return withBody(answer, Buffer.from(JSON.stringify(change(listing))));
}

interface Entry {
  readonly endpoint: string;
}
const ofEntry = ({ endpoint }: Entry): string => endpoint;
const asEntry = (endpoint: string): Entry => ({ endpoint });

/** The body that each shape makes of a listing. */
const SHAPED: Readonly<Record<ShapeTrouble['shape'], (listing: Listing) => unknown>> = {
  'no-endpoints': ({ without }) => without,
  'null-endpoints': ({ of }) => of(null),
  null: () => null,
  'entry-without-attribute': ({ endpoints, of }) => of([...endpoints.map(asEntry), {}]),
  'two-attributes': ({ endpoints, of }) =>
    of(endpoints.map((endpoint, index) => ({ endpoint, name: `coordinator-${String(index)}` }))),
  entrypoint: ({ endpoints, of }) => of(endpoints.map((endpoint) => ({ entrypoint: endpoint }))),
  internal: ({ endpoints, of }) => of(endpoints.map((endpoint) => ({ endpoint, internal: `tcp://${DEAD_ADDRESS}` }))),
};

/** What each trouble with entries puts in the place of the true ones. */
const LISTED: Readonly<
  Record<EntriesTrouble['entries'], (own: readonly string[], scheme: string, count: number) => readonly string[]>
> = {
  private: (_own, scheme) => PRIVATE_ADDRESSES.map((address) => `${scheme}://${address}`),
  malformed: (own) => [...own, ...MALFORMED_ENTRIES],
  duplicate: (own) => own.flatMap((endpoint) => [endpoint, endpoint]),
  dead: (own, scheme) => [...own, `${scheme}://${DEAD_ADDRESS}`],
  thousands: (own, scheme, count) => [
    ...own,
    ...Array.from({ length: count }, (_, index) => `${scheme}://${deadAddress(index)}`),
  ],
};

/** Loopback is all of 127.0.0.0/8; each address below 127.1.0.0 is one of them, and port 1 answers at none. */
function deadAddress(index: number): string {
  return `127.${String(1 + (index >> 16))}.${String((index >> 8) & 0xff)}.${String(index & 0xff)}:1`;
}
