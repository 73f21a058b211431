import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { ListenError, type SslOptions } from '../../lib/listen/index.js';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

type Certificate = Awaited<ReturnType<typeof makeCertificate>>;
let first: Certificate;
let second: Certificate;
let { key, cert } = { key: '', cert: '' };
const pem = ({ key, cert }: Certificate): string => `${cert}\n${key}`;

beforeAll(async () => {
  [first, second] = await Promise.all([makeCertificate(), makeCertificate()]);
  ({ key, cert } = first);
});

function keyfile(text: string, name = 'server.pem'): { keyfile: string } {
  writeFileSync(scratch(name), text);
  return { keyfile: scratch(name) };
}

/** The error with which an ssl endpoint is refused. */
async function refusal(ssl?: SslOptions): Promise<Error> {
  const outcome: unknown = await listen(hello, ['tcp://127.0.0.1:0', 'ssl://127.0.0.1:0'], ssl && { ssl }).catch(
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('it was not refused');
  return outcome;
}

describe('ssl takes a keyfile, one PEM file with certificate and private key', () => {
  it.each([
    ['the certificate first', () => `${cert}\n${key}`],
    ['the private key first', () => `${key}\n${cert}`],
    ['text around them, and CRLF', () => `# server\n${key}\n# its certificate\n${cert}`.replaceAll(/\r?\n/g, '\r\n')],
  ])('%s', async (_what, text) => {
    const { endpoints } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: keyfile(text()) });

    expect(await ask(endpoints()[0] ?? '', { ca: cert })).toMatchObject({ status: 200, body: 'hello' });
  });

  it('other options go to the TLS server of Node as they are', async () => {
    const ssl = { ...keyfile(`${key}\n${cert}`), maxVersion: 'TLSv1.2' } as const;
    const { endpoints } = await listen(hello, ['ssl://localhost:0'], { ssl });
    const socket = connect({ host: 'localhost', port: Number(endpoints()[0]?.split(':').at(-1)), ca: cert });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.2');
    socket.destroy();
  });

  it('the private key may be encrypted, with a passphrase beside the keyfile', async () => {
    const encrypted = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'open sesame',
    });
    const file = keyfile(`${cert}\n${String(encrypted)}`);

    const { endpoints } = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: { ...file, passphrase: 'open sesame' } });
    expect(await ask(endpoints()[0] ?? '', { ca: cert })).toMatchObject({ status: 200 });

    const wrong = await refusal({ ...file, passphrase: 'wrong sesame' });
    expect(wrong.message).toMatch(/the private key and the certificate cannot be used: /);
    expect(wrong.message).not.toContain('sesame');
  });
});

describe('An ssl endpoint is refused', () => {
  it('without key and certificate', async () => {
    expect(await refusal()).toMatchObject({
      name: 'ListenError',
      endpoint: 'ssl://127.0.0.1:0',
      code: 'ERR_LISTEN_SSL',
      message:
        'cannot listen on ssl://127.0.0.1:0: ssl needs a keyfile, or a key and a certificate, and none is given (ERR_LISTEN_SSL)',
    });
  });

  it('with a keyfile that cannot be read', async () => {
    const path = scratch('nowhere.pem');

    expect(await refusal({ keyfile: path })).toMatchObject({
      message: `cannot listen on ssl://127.0.0.1:0: the keyfile cannot be read: ENOENT: no such file or directory, open '${path}' (ERR_LISTEN_SSL)`,
      cause: { code: 'ENOENT' },
    });
  });

  it.each([
    ['certificate', () => key],
    ['private key', () => cert],
    ['certificate and no private key', () => ''],
    ['private key', () => `${cert}-----BEGIN PUBLIC KEY-----\n`],
    ['certificate', () => `${key}-----BEGIN CERTIFICATE REQUEST-----\n`],
    ['certificate', () => `${key}no -----BEGIN CERTIFICATE-----\n`],
    ['private key', () => `${cert}no -----BEGIN PRIVATE KEY-----\n`],
  ])('with a keyfile that holds no %s', async (missing, text) => {
    const ssl = keyfile(text());

    expect((await refusal(ssl)).message).toBe(
      `cannot listen on ssl://127.0.0.1:0: the keyfile ${ssl.keyfile} holds no ${missing} in PEM form (ERR_LISTEN_SSL)`,
    );
  });

  it('with a key that does not belong to the certificate', async () => {
    expect((await refusal({ key: second.key, cert })).message).toMatch(
      /^cannot listen on ssl:\/\/127\.0\.0\.1:0: the private key and the certificate cannot be used: .*mismatch.* \(ERR_LISTEN_SSL\)$/,
    );
  });

  it('with a key that cannot be parsed, and the error does not show it', async () => {
    const broken = key.replace(/[A-Z]{2}/g, '!!');
    const error = await refusal({ key: broken, cert });

    expect(error).toBeInstanceOf(ListenError);
    const body = key.split('\n')[1]?.slice(0, 20) ?? '';
    const secret = broken.split('\n')[1]?.slice(0, 20) ?? '';
    for (const text of [error.message, String(error.cause), error.stack]) {
      expect(text).not.toContain(body);
      expect(text).not.toContain(secret);
    }
  });
});

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
