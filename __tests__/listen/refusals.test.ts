import dns from 'node:dns/promises';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, Server } from 'node:net';
import { ListenError, type ListenOptions, type SslOptions } from '../../lib/listen/index.js';
import { makeCertificate } from '../support/certificate.js';
import { ask } from '../support/router/ask.js';
import { freePort, startOnFreePort } from '../support/process/free-port.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { asOrdinaryUser } from '../support/process/ordinary-user.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

afterEach(() => {
  jest.restoreAllMocks();
});

/** The error with which a list is refused. */
function refusal(...endpoints: readonly string[]): Promise<ListenError> {
  return refusalWith({}, ...endpoints);
}

async function refusalWith(options: ListenOptions, ...endpoints: readonly string[]): Promise<ListenError> {
  const outcome: unknown = await listen(hello, endpoints, options).catch((error: unknown) => error);
  if (!(outcome instanceof ListenError)) throw new Error(`no ListenError: ${String(outcome)}`);
  return outcome;
}

describe('When one endpoint cannot be bound, none is', () => {
  it('the others are closed again, and their socket files are gone', async () => {
    const blocker = createServer();
    const taken = `tcp://127.0.0.1:${String(await startOnFreePort(blocker))}`;
    const free = `tcp://127.0.0.1:${String(await freePort())}`;

    const error = await refusal(free, `unix://${scratch('s')}`, taken, 'tcp://127.0.0.1:0');
    blocker.close();

    expect(error).toMatchObject({
      name: 'ListenError',
      endpoint: taken,
      code: 'EADDRINUSE',
      message: `cannot listen on ${taken}: address already in use (EADDRINUSE)`,
      cause: { syscall: 'listen', address: '127.0.0.1' },
    });
    await expect(ask(free)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(existsSync(scratch('s'))).toBe(false);
  });

  it('the error names the first of the list, where several cannot be bound', async () => {
    const blocker = createServer();
    const taken = `tcp://127.0.0.1:${String(await startOnFreePort(blocker))}`;

    const error = await refusal('tcp://127.0.0.1:0', 'tcp://203.0.113.7:0', taken);
    blocker.close();

    expect(error.endpoint).toBe('tcp://203.0.113.7:0');
  });

  it.each<[option: object, reason: string]>([
    [
      { ALPNProtocols: ['x'.repeat(256)] },
      'The byte length of the protocol at index 0 exceeds the maximum length. It must be <= 255',
    ],
    [{ SNICallback: 'secret' }, 'The "options.SNICallback" property must be of type function'],
    [{ handshakeTimeout: 'secret' }, 'The "options.handshakeTimeout" property must be of type number'],
  ])('whatever Node refuses in the options of ssl, and wherever ssl stands in the list: %p', async (option, reason) => {
    const free = String(await freePort());
    const ssl = { ...(await makeCertificate()), ...option } as SslOptions;
    const lists = [
      [`tcp://127.0.0.1:${free}`, `unix://${scratch('s')}`, 'ssl://127.0.0.1:0'],
      ['ssl://127.0.0.1:0', `tcp://127.0.0.1:${free}`, `unix://${scratch('s')}`],
    ];

    for (const list of [...lists, ...lists]) {
      expect(await refusalWith({ ssl }, ...list)).toMatchObject({
        endpoint: 'ssl://127.0.0.1:0',
        code: 'ERR_LISTEN_SSL',
        message: `cannot listen on ssl://127.0.0.1:0: the options of ssl cannot be used: ${reason} (ERR_LISTEN_SSL)`,
      });
      await expect(ask(`tcp://127.0.0.1:${free}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect(existsSync(scratch('s'))).toBe(false);
    }
  });

  it('whatever the system throws in place of an event', async () => {
    const free = `tcp://127.0.0.1:${String(await freePort())}`;
    const listenReally = Reflect.get(Server.prototype, 'listen') as (...args: unknown[]) => Server;
    jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
      if (args[0] instanceof Object && 'path' in args[0]) throw Object.assign(new Error('broken'), { code: 'EBROKEN' });
      return listenReally.apply(this, args);
    });

    await expect(listen(hello, [free, `unix://${scratch('s')}`])).rejects.toMatchObject({ code: 'EBROKEN' });
    await expect(ask(free)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('the list can be bound once the obstacle is gone', async () => {
    const blocker = createServer();
    const taken = `tcp://127.0.0.1:${String(await startOnFreePort(blocker))}`;
    await refusal(`unix://${scratch('s')}`, taken);
    await new Promise((resolve) => blocker.close(resolve));

    const { endpoints } = await listen(hello, [`unix://${scratch('s')}`, taken]);
    expect(endpoints()).toEqual([`unix://${scratch('s')}`, taken]);
  });
});

describe('A ListenError names the endpoint, a code and the reason in words', () => {
  const refusedWith = async (endpoint: string, code: string, words: string): Promise<void> => {
    const message = `cannot listen on ${endpoint}: ${words} (${code})`;
    expect(await refusal(endpoint)).toMatchObject({ endpoint, code, message });
  };

  it('in use, by another endpoint of the list: all IPv4 addresses include each of them', async () => {
    const port = String(await freePort());

    expect(await refusal(`tcp://0.0.0.0:${port}`, `tcp://127.0.0.1:${port}`)).toMatchObject({
      endpoint: `tcp://127.0.0.1:${port}`,
      code: 'EADDRINUSE',
    });
  });

  it('no such address on this machine', async () => {
    await refusedWith('tcp://203.0.113.7:0', 'EADDRNOTAVAIL', 'this machine has no such address');
  });

  it.each([
    ['ENOTFOUND', 'the host name cannot be resolved'],
    ['EAI_AGAIN', 'the host name cannot be resolved now, the name server gives no answer'],
    ['EAI_FAIL', 'getaddrinfo EAI_FAIL db.example'],
  ])('a host name without address: %s', async (code, words) => {
    const cause = Object.assign(new Error(`getaddrinfo ${code} db.example`), { code });
    jest.spyOn(dns, 'lookup').mockRejectedValue(cause);

    await refusedWith('tcp://db.example:8529', code, words);
    expect((await refusal('tcp://db.example')).cause).toBe(cause);
  });

  it.each([
    ['EAFNOSUPPORT', 'this machine has no address of that family'],
    ['EPERM', 'it is not permitted'],
    ['EROFS', 'the file system is read-only'],
    ['ENOBUFS', 'listen ENOBUFS'],
  ])('what few machines say: %s', async (code, words) => {
    const error = Object.assign(new Error(`listen ${code}`), { code });
    jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', error));
      return this;
    });

    await refusedWith('tcp://127.0.0.1:0', code, words);
  });

  it.each([0, 0o555])('not permitted, in a folder of mode %i', async (mode) => {
    chmodSync(scratch('.'), 0o755);
    mkdirSync(scratch('closed'), { mode });

    await asOrdinaryUser(() => refusedWith(`unix://${scratch('closed/s')}`, 'EACCES', 'it is not permitted'));
  });

  it('no folder for the socket file, or a file where one should be', async () => {
    writeFileSync(scratch('file'), '');
    const throughFile = 'the path leads through a file that is not a directory';

    await refusedWith(`unix://${scratch('nowhere/s')}`, 'ENOENT', 'the directory of the socket file does not exist');
    await refusedWith(`unix://${scratch('file/s')}`, 'ENOTDIR', throughFile);
  });

  it.each<[what: string, put: (path: string) => void, isLeft: (path: string) => boolean]>([
    ['a file', (path) => writeFileSync(path, 'precious'), (path) => readFileSync(path, 'utf8') === 'precious'],
    ['a folder', mkdirSync, (path) => statSync(path).isDirectory()],
    ['a link', (path) => symlinkSync('elsewhere', path), (path) => readlinkSync(path) === 'elsewhere'],
  ])('%s in place of the socket, which is left alone', async (_what, put, isLeft) => {
    put(scratch('s'));
    await refusedWith(`unix://${scratch('s')}`, 'EEXIST', 'the path exists and is not a socket');
    expect(isLeft(scratch('s'))).toBe(true);
  });
});
