import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { startOnFreePort } from '../process/free-port.js';
import { dnsMessage, uint16, type Rcode, type SrvRecord } from './dns-message.js';

/** What the server does with a request. */
export type Reply =
  /** With a limit, no answer has more bytes, over TCP either. */
  | { readonly records: readonly SrvRecord[]; readonly limit?: number }
  | { readonly rcode: Rcode }
  /** No answer. */
  | 'silence'
  /** Bytes that are no DNS message. */
  | 'noise'
  /** Over TCP the first half of an answer, then silence on an open connection. */
  | 'half an answer'
  /** Over TCP silence on an open connection. */
  | 'silence over TCP';

/** A DNS server on loopback, over UDP and TCP on one port, that does to large answers what BIND does. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, as the option `servers` takes it. */
  readonly address: string;
  /** How many requests have come; one whose answer is too large for UDP comes again over TCP. */
  readonly requests: { readonly udp: number; readonly tcp: number };
  /** Each request takes the next reply; the last one stays. */
  reply(...replies: readonly [Reply, ...Reply[]]): void;
  close(): Promise<void>;
}

const UDP_BYTES = 1232;
const TCP_BYTES = 65_535;

export async function startDnsServer(first: Reply): Promise<DnsServer> {
  let reply = first;
  let following: Reply[] = [];
  const requests = { udp: 0, tcp: 0 };
  let closed: Promise<unknown> | undefined;
  const connections = new Set<Socket>();

  const tcp = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => undefined);
    let received = Buffer.alloc(0);
    connection.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      requests.tcp += 1;
      if (reply === 'silence' || reply === 'silence over TCP') return;
      const bytes = answer(received.subarray(2), reply, TCP_BYTES);
      received = Buffer.alloc(0);
      const framed = Buffer.concat([uint16(bytes.length), bytes]);
      connection.write(reply === 'half an answer' ? framed.subarray(0, framed.length / 2) : framed);
    });
  });
  const [port, udp] = await bindBoth(tcp);
  udp.on('message', (query, from) => {
    requests.udp += 1;
    reply = following.shift() ?? reply;
    if (reply === 'silence') return;
    udp.send(answer(query, reply, hasTcpOnly(reply) ? 0 : UDP_BYTES), from.port, from.address);
  });

  return {
    address: `127.0.0.1:${String(port)}`,
    requests,
    reply: (...replies) => {
      following = [...replies];
    },
    close: async () => {
      for (const connection of connections) connection.destroy();
      closed ??= Promise.all([
        new Promise((done) => tcp.close(done)),
        new Promise<void>((done) => {
          udp.close(done);
        }),
      ]);
      await closed;
    },
  };
}

function hasTcpOnly(reply: Reply): boolean {
  return reply === 'half an answer' || reply === 'silence over TCP';
}

function answer(query: Buffer, reply: Exclude<Reply, 'silence'>, limit: number): Buffer {
  if (reply === 'noise') return Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)]);
  if (reply === 'half an answer' || reply === 'silence over TCP')
    return dnsMessage(query, 'NOERROR', [{ target: 'a.example', port: 1 }], limit);
  if ('rcode' in reply) return dnsMessage(query, reply.rcode, [], limit);
  return dnsMessage(query, 'NOERROR', reply.records, Math.min(limit, reply.limit ?? limit));
}

/** Binds TCP and UDP to one port, which nobody else gets once it is closed; tries again when somebody has it for UDP. */
async function bindBoth(tcp: Server): Promise<[number, UdpSocket]> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await startOnFreePort(tcp);
    const udp = createSocket('udp4');
    udp.bind(port, '127.0.0.1');
    try {
      await once(udp, 'listening');
      return [port, udp];
    } catch {
      udp.close();
      await new Promise((done) => tcp.close(done));
    }
  }
  throw new Error('no port is free for both UDP and TCP');
}
