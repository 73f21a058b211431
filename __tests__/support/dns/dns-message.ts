/** One SRV record, as it stands in a zone. */
export interface SrvRecord {
  readonly target: string;
  readonly port: number;
  readonly priority?: number;
  readonly weight?: number;
}

export type Rcode = keyof typeof RCODES;

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const HEADER_BYTES = 12;
const SRV = 33;
const IN = 1;

/**
 * The answer to a query: its header and request again, then as many of the records as fit, with the TC bit when some did not.
 *
 * By hand, as the npm packages do not compress the names of records: the 64 kB limit would lie elsewhere than with a real server.
 */
export function dnsMessage(query: Buffer, rcode: Rcode, records: readonly SrvRecord[], limit: number): Buffer {
  let end = HEADER_BYTES;
  while (query.readUInt8(end) !== 0) end += 1 + query.readUInt8(end);
  const request = query.subarray(HEADER_BYTES, end + 5);

  const fitting: Buffer[] = [];
  let size = HEADER_BYTES + request.length;
  for (const bytes of bytesOf(records)) {
    size += bytes.length;
    if (size > limit) break;
    fitting.push(bytes);
  }
  const truncated = fitting.length < records.length ? 0x0200 : 0;
  const header = Buffer.concat([
    query.subarray(0, 2),
    uint16(0x8500 | truncated | RCODES[rcode]),
    uint16(1),
    uint16(fitting.length),
    uint16(0),
    uint16(0),
  ]);
  // Over UDP a cut answer makes the client ask again over TCP; what it holds does not matter.
  return Buffer.concat([header, request, ...fitting]);
}

const encoded = new WeakMap<readonly SrvRecord[], readonly Buffer[]>();

/** Once per set of records: large sets take a while. */
function bytesOf(records: readonly SrvRecord[]): readonly Buffer[] {
  const bytes = encoded.get(records) ?? records.map(record);
  encoded.set(records, bytes);
  return bytes;
}

function record({ target, port, priority = 0, weight = 0 }: SrvRecord): Buffer {
  const labels = target.split('.').filter((label) => label !== '');
  const name = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ]);
  const data = Buffer.concat([uint16(priority), uint16(weight), uint16(port), name]);
  const pointerToQuestion = uint16(0xc000 | HEADER_BYTES);
  return Buffer.concat([
    pointerToQuestion,
    uint16(SRV),
    uint16(IN),
    Buffer.from([0, 0, 0, 60]),
    uint16(data.length),
    data,
  ]);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
