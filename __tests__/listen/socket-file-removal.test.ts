import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net, { connect, Server } from 'node:net';
import { ask } from '../support/router/ask.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { asOrdinaryUser } from '../support/process/ordinary-user.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { leaveStaleSocket, startOnSocketFile } from '../support/process/stale-socket.js';

const listen = useListenOn();
const scratch = useScratchFolder();

/** Whether somebody takes connections at a path. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Does something while `listenOn`, called next, waits between its two looks at a socket file. */
async function afterFirstLook<T>(work: () => T | Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  return work();
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('A socket file that is there already', () => {
  it('is replaced when its server is dead', async () => {
    await leaveStaleSocket(scratch('s'));
    expect([existsSync(scratch('s')), await isAlive(scratch('s'))]).toEqual([true, false]);

    const { endpoints } = await listen(hello, [`unix://${scratch('s')}`]);

    expect(await ask(endpoints()[0] ?? '')).toMatchObject({ status: 200 });
    expect(readdirSync(scratch('.'))).toEqual(['s']);
  });

  it('is left alone when its server lives: in use, as one look shows', async () => {
    const other = await startOnSocketFile(scratch('s'));
    const looks = jest.spyOn(net, 'connect');

    await expect(listen(hello, [`unix://${scratch('s')}`])).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `cannot listen on unix://${scratch('s')}: address already in use (EADDRINUSE)`,
    });
    expect(looks).toHaveBeenCalledTimes(1);
    expect(await isAlive(scratch('s'))).toBe(true);
    other.close();
  });

  it('is left alone when its server has bound it, and begins to listen a moment later', async () => {
    await leaveStaleSocket(scratch('s'));
    const started = afterFirstLook(() => {
      rmSync(scratch('s'));
      return startOnSocketFile(scratch('s'));
    });

    await expect(listen(hello, [`unix://${scratch('s')}`])).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const server = await started;
    expect(await isAlive(scratch('s'))).toBe(true);
    server.close();
  });

  it('is left alone when the first look failed, and the second does not', async () => {
    const other = await startOnSocketFile(scratch('s'));
    jest.spyOn(net, 'connect').mockImplementationOnce(() => {
      const probe = new net.Socket();
      return probe.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    });

    await expect(listen(hello, [`unix://${scratch('s')}`])).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await isAlive(scratch('s'))).toBe(true);
    other.close();
  });

  it('is left alone when it is not the one that was dead, even if it looks dead as well', async () => {
    await leaveStaleSocket(scratch('s'));
    await leaveStaleSocket(scratch('other'));
    const { ino } = lstatSync(scratch('other'));
    const replaced = afterFirstLook(() => renameSync(scratch('other'), scratch('s')));

    await expect(listen(hello, [`unix://${scratch('s')}`])).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await replaced;
    expect(readdirSync(scratch('.'))).toEqual(['s']);
    expect(lstatSync(scratch('s')).ino).toBe(ino);
  });

  it('is left alone when it cannot be looked into: whoever may not connect cannot tell', async () => {
    await leaveStaleSocket(scratch('s'));
    chmodSync(scratch('s'), 0);
    chmodSync(scratch('.'), 0o777);

    const refused = asOrdinaryUser(() => listen(hello, [`unix://${scratch('s')}`]));

    await expect(refused).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(existsSync(scratch('s'))).toBe(true);
  });

  it('is a refusal in words when it is dead and may not be replaced', async () => {
    await leaveStaleSocket(scratch('s'));
    chmodSync(scratch('s'), 0o777);
    chmodSync(scratch('.'), 0o555);

    const refused = asOrdinaryUser(() => listen(hello, [`unix://${scratch('s')}`]));

    await expect(refused).rejects.toMatchObject({
      code: 'EACCES',
      message: `cannot listen on unix://${scratch('s')}: it is not permitted (EACCES)`,
    });
    chmodSync(scratch('.'), 0o755);
    expect(readdirSync(scratch('.'))).toEqual(['s']);
  });
});

describe('A dead socket file that another process removes at the same moment', () => {
  const renameReally = fs.renameSync;

  it('is no error: the path is bound', async () => {
    await leaveStaleSocket(scratch('s'));
    jest.spyOn(fs, 'renameSync').mockImplementationOnce((...paths) => {
      rmSync(scratch('s'));
      renameReally(...paths);
    });

    const { endpoints } = await listen(hello, [`unix://${scratch('s')}`]);
    expect(await ask(endpoints()[0] ?? '')).toMatchObject({ status: 200 });
  });

  it('is in use, where that process has bound the path by then', async () => {
    await leaveStaleSocket(scratch('s'));
    const other = new net.Server();
    jest.spyOn(fs, 'renameSync').mockImplementationOnce((...paths) => {
      rmSync(scratch('s'));
      try {
        renameReally(...paths);
      } finally {
        other.listen(scratch('s'));
      }
    });

    await expect(listen(hello, [`unix://${scratch('s')}`])).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });
});

it.each<[what: string, happens: () => void]>([
  [
    'may not be looked at',
    () => {
      jest.spyOn(fs, 'lstatSync').mockImplementationOnce(() => {
        throw Object.assign(new Error('EACCES: permission denied, lstat'), { code: 'EACCES' });
      });
    },
  ],
  ['somebody removes', () => rmSync(scratch('s'))],
])(
  'A socket file that, as soon as it is bound, %s is no error: the server listens, and closes',
  async (_what, happens) => {
    const listenReally = Reflect.get(Server.prototype, 'listen') as (...args: unknown[]) => Server;
    jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...[options, done]: unknown[]) {
      return listenReally.call(this, options, () => {
        happens();
        (done as () => void)();
      });
    });

    const { endpoints, servers, close } = await listen(hello, [`unix://${scratch('s')}`]);
    expect(endpoints()).toEqual([`unix://${scratch('s')}`]);
    expect(servers[0]?.listening).toBe(true);
    await expect(close()).resolves.toBeUndefined();
    expect(servers[0]?.listening).toBe(false);
  },
);

describe('close() and the socket file', () => {
  it.each<[what: string, change: (path: string) => void]>([
    ['its mode was changed', (path) => chmodSync(path, 0o770)],
    ['somebody has removed it', rmSync],
  ])('the file is gone, and it is no error, when meanwhile %s', async (_what, change) => {
    const { close } = await listen(hello, [`unix://${scratch('s')}`]);
    change(scratch('s'));
    await close();

    expect(readdirSync(scratch('.'))).toEqual([]);
  });

  it('the socket file of another server that is on the path by now stays, and works', async () => {
    const first = await listen(hello, [`unix://${scratch('s')}`]);
    rmSync(scratch('s'));
    const second = await listen(hello, [`unix://${scratch('s')}`]);

    await first.close();

    expect(readdirSync(scratch('.'))).toEqual(['s']);
    expect(await ask(second.endpoints()[0] ?? '')).toMatchObject({ status: 200 });
    await second.close();
    expect(readdirSync(scratch('.'))).toEqual([]);
  });

  it.each([0o755, 0o555])(
    'any other file that is on the path by now stays, in a folder of mode %i too, and closing works',
    async (mode) => {
      const { close, servers } = await listen(hello, [`unix://${scratch('s')}`]);
      rmSync(scratch('s'));
      writeFileSync(scratch('s'), 'precious');
      chmodSync(scratch('.'), mode);

      await asOrdinaryUser(close);

      expect(servers[0]?.listening).toBe(false);
      expect(readFileSync(scratch('s'), 'utf8')).toBe('precious');
      chmodSync(scratch('.'), 0o755);
    },
  );
});
