import dns from 'node:dns/promises';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { Server } from 'node:http';
import net from 'node:net';
import { freePort } from '../support/process/free-port.js';
import { ask } from '../support/router/ask.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { leaveStaleSocket } from '../support/process/stale-socket.js';

const listen = useListenOn();
const scratch = useScratchFolder();

afterEach(() => {
  jest.restoreAllMocks();
});

describe('When the signal aborts', () => {
  it('before the call, nothing is bound and the reason is thrown', async () => {
    const bind = jest.spyOn(Server.prototype, 'listen');
    const reason = new Error('not now');

    await expect(listen(hello, ['tcp://127.0.0.1:0'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(bind).not.toHaveBeenCalled();
  });

  it('while a name is looked up that may take for ever, nothing is bound and the reason is thrown at once', async () => {
    const bind = jest.spyOn(Server.prototype, 'listen');
    jest.spyOn(dns, 'lookup').mockReturnValue(new Promise<never>(() => undefined));
    const controller = new AbortController();
    const reason = new Error('not now');
    const listening = listen(hello, ['tcp://127.0.0.1:0', 'tcp://slow.example'], { signal: controller.signal });
    controller.abort(reason);

    await expect(listening).rejects.toBe(reason);
    expect(bind).not.toHaveBeenCalled();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('while the first of two socket files is looked at, both stay, the second unseen, and the reason is thrown', async () => {
    await leaveStaleSocket(scratch('s'));
    await leaveStaleSocket(scratch('t'));
    const looks = jest.spyOn(net, 'connect');
    const controller = new AbortController();
    const reason = new Error('not now');
    const endpoints = [`unix://${scratch('s')}`, `unix://${scratch('t')}`];
    const listening = listen(hello, endpoints, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 10);

    await expect(listening).rejects.toBe(reason);
    // Longer than the pause between two looks.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(readdirSync(scratch('.'))).toEqual(['s', 't']);
    expect(looks.mock.calls.map(([path]) => path as unknown)).toEqual([scratch('s')]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('between the second look at a dead socket file and its removal, the file stays', async () => {
    await leaveStaleSocket(scratch('s'));
    const controller = new AbortController();
    const reason = new Error('not now');
    const connect = net.connect;
    const looks = jest.spyOn(net, 'connect').mockImplementation((...args: unknown[]) => {
      const probe = Reflect.apply(connect, net, args) as net.Socket;
      if (looks.mock.calls.length === 2) probe.once('error', () => controller.abort(reason));
      return probe;
    });

    await expect(listen(hello, [`unix://${scratch('s')}`], { signal: controller.signal })).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([looks.mock.calls.length, readdirSync(scratch('.'))]).toEqual([2, ['s']]);
  });

  it('while the endpoints are bound, they are closed again and the reason is thrown', async () => {
    const controller = new AbortController();
    const reason = new Error('not now');
    const bind = jest.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server, ...args) {
      controller.abort(reason);
      return this.listen(...args);
    });
    const endpoints = ['tcp://127.0.0.1:0', `unix://${scratch('s')}`];

    await expect(listen(hello, endpoints, { signal: controller.signal })).rejects.toBe(reason);
    expect(bind.mock.contexts.map((server) => (server as Server).listening)).toEqual([false, false, false]);
    expect(existsSync(scratch('s'))).toBe(false);
  });

  it('after the endpoints are bound, they are closed', async () => {
    const controller = new AbortController();
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const { endpoints, servers, close } = await listen(hello, [endpoint], { signal: controller.signal });
    controller.abort();

    expect([endpoints(), servers[0]?.listening]).toEqual([[], false]);
    await expect(close()).resolves.toBeUndefined();
    await expect(ask(endpoint)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

it('The signal is not listened to any more once all is closed, or was refused', async () => {
  const { signal } = new AbortController();
  const { close } = await listen(hello, ['tcp://127.0.0.1:0'], { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await close();
  await expect(listen(hello, [`unix://${scratch('nowhere/s')}`], { signal })).rejects.toMatchObject({
    code: 'ENOENT',
  });

  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
