import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import type { SslOptions } from '../../lib/listen/index.js';
import { makeCertificate } from '../support/certificate.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

type Certificate = Awaited<ReturnType<typeof makeCertificate>>;
let first: Certificate;
let second: Certificate;

beforeAll(async () => {
  [first, second] = await Promise.all([makeCertificate(), makeCertificate()]);
});

/** Writes a keyfile. */
function keyfile(text: string, name = 'server.pem'): { keyfile: string } {
  writeFileSync(scratch(name), text);
  return { keyfile: scratch(name) };
}
const pem = ({ key, cert }: Certificate): string => `${cert}\n${key}`;

async function connection(endpoint = ''): Promise<TLSSocket> {
  const port = Number(endpoint.split(':').at(-1));
  // Both have the same subject, which confuses a search for the one that signed; the tests compare fingerprints.
  const socket = connect({ port, host: 'localhost', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** Which of the two certificates a new connection gets. */
async function served(endpoint = ''): Promise<string> {
  const socket = await connection(endpoint);
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  const fingerprint = new X509Certificate(raw).fingerprint256;
  return fingerprint === new X509Certificate(first.cert).fingerprint256 ? 'the first' : 'the second';
}

describe('renewCertificate', () => {
  it('reads the keyfile again: new connections of all ssl endpoints get the new certificate', async () => {
    const ssl = keyfile(pem(first));
    const { endpoints, renewCertificate } = await listen(
      hello,
      ['ssl://127.0.0.1:0', 'tcp://127.0.0.1:0', 'ssl://localhost:0'],
      { ssl },
    );
    const [one, , other] = endpoints();
    expect([await served(one), await served(other)]).toEqual(['the first', 'the first']);

    keyfile(pem(second));
    expect(await served(one)).toBe('the first');
    await renewCertificate();

    expect([await served(one), await served(other)]).toEqual(['the second', 'the second']);
  });

  it('leaves open connections alone', async () => {
    const { endpoints, renewCertificate } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: first });
    const socket = await connection(endpoints()[0]);
    await renewCertificate(second);

    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await served(endpoints()[0])).toBe('the second');
  });

  it('takes another keyfile, or another key and certificate, and stays with it', async () => {
    const { endpoints, renewCertificate } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: first });
    await renewCertificate(keyfile(pem(second), 'other.pem'));
    expect(await served(endpoints()[0])).toBe('the second');

    keyfile(pem(first), 'other.pem');
    await renewCertificate();
    expect(await served(endpoints()[0])).toBe('the first');
  });

  it('ends with what was asked for last, however long a file takes to read', async () => {
    const { endpoints, renewCertificate } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: first });
    await Promise.all([renewCertificate(keyfile(pem(first), 'long.pem')), renewCertificate(second)]);

    expect(await served(endpoints()[0])).toBe('the second');
  });

  it.each<[what: string, text: () => string | undefined, words: RegExp]>([
    ['is missing', () => undefined, /the keyfile cannot be read: ENOENT/],
    ['is cut', () => pem(second).slice(0, 300), /holds no private key in PEM form/],
    ['has a key that does not fit', () => `${first.cert}\n${second.key}`, /cannot be used: .*mismatch/],
  ])('changes nothing when the keyfile %s: the next one works', async (_what, text, words) => {
    const ssl = keyfile(pem(first));
    const { endpoints, renewCertificate } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl });
    const wrong = text();
    if (wrong === undefined) rmSync(ssl.keyfile);
    else keyfile(wrong);

    await expect(renewCertificate()).rejects.toMatchObject({
      name: 'ListenError',
      code: 'ERR_LISTEN_SSL',
      endpoint: endpoints()[0],
      message: expect.stringMatching(words) as string,
    });
    expect(await served(endpoints()[0])).toBe('the first');

    keyfile(pem(second));
    await renewCertificate();
    expect(await served(endpoints()[0])).toBe('the second');
  });

  it('refuses an argument that is no ssl, without showing it', async () => {
    const { endpoints, renewCertificate } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: first });

    await expect(renewCertificate({ key: first.key } as SslOptions)).rejects.toEqual(
      new TypeError(
        'renewCertificate: option ssl must be an object with the path of a keyfile, or with key and cert, got key without cert',
      ),
    );
    expect(await served(endpoints()[0])).toBe('the first');
  });

  it('has nothing to do without an ssl endpoint', async () => {
    const { renewCertificate } = await listen(hello, ['tcp://127.0.0.1:0'], { ssl: { keyfile: scratch('nowhere') } });

    await expect(renewCertificate()).resolves.toBeUndefined();
  });
});
