import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { ListenError, type SslOptions } from '../../lib/listen/index.js';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

let key: string;
let cert: string;

beforeAll(async () => {
  ({ key, cert } = await makeCertificate());
});

function keyfile(text: string): { keyfile: string } {
  writeFileSync(scratch('server.pem'), text);
  return { keyfile: scratch('server.pem') };
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
    const other = await makeCertificate();

    expect((await refusal({ key: other.key, cert })).message).toMatch(
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
