import type { Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { EndpointProvider, EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';
import { request } from '../support/router/raw.js';

/** Sends one request, calls back once the provider has been asked, and waits until the server has seen the client go. */
async function leaveWhileAsked(
  options: Omit<EndpointRouterOptions, 'endpoints'>,
  provider: EndpointProvider,
): Promise<void> {
  let client: Socket | undefined;
  let gone: Promise<unknown> = Promise.resolve();
  const asked = new Promise<void>((resolve) => {
    const endpoints: EndpointProvider = (query) => {
      if (query.req.res !== undefined) gone = once(query.req.res, 'close');
      resolve();
      return provider(query);
    };
    const server: Server = serverOf({ ...options, endpoints });
    server.listen(0, '127.0.0.1', () => {
      client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('close', () => server.close());
      client.write(request('GET', '/_api/endpoint'));
    });
  });
  await asked;
  client?.destroy();
  await gone;
}

describe('A client that leaves before the provider has answered', () => {
  it.each<[string, (settle: { resolve: (list: string[]) => void; reject: (error: Error) => void }) => void]>([
    [
      'answers',
      ({ resolve }) => {
        resolve(['tcp://a']);
      },
    ],
    [
      'fails',
      ({ reject }) => {
        reject(new Error('x'));
      },
    ],
  ])('is answered nothing, and nothing is reported, when the provider %s at last', async (_what, settle) => {
    const onError = jest.fn();
    let settlers: Parameters<typeof settle>[0] | undefined;
    let response: Response | undefined;
    const pending = new Promise<string[]>((resolve, reject) => {
      settlers = { resolve, reject };
    });
    await leaveWhileAsked({ onError }, ({ req }) => {
      response = req.res;
      return pending;
    });
    if (settlers !== undefined) settle(settlers);
    await pending.catch(() => undefined);
    await new Promise(setImmediate);
    expect(response).toMatchObject({ headersSent: false, writableEnded: false });
    expect(onError).not.toHaveBeenCalled();
  });

  it('leaves no timer and no listener behind', async () => {
    const started = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    let response: Response | undefined;
    await leaveWhileAsked({ timeoutMs: 123_456 }, ({ req }) => {
      response = req.res;
      return new Promise(() => undefined);
    });
    await new Promise(setImmediate);
    const ours = started.mock.results.filter((_result, call) => started.mock.calls[call]?.[1] === 123_456);
    expect(ours).toHaveLength(1);
    expect(cleared).toHaveBeenCalledWith(ours[0]?.value);
    expect(response?.listeners('close').map(({ name }) => name)).not.toContain('leave');
    jest.restoreAllMocks();
  });
});
