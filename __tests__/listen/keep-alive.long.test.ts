import express from 'express';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEndpointRouter } from '../../lib/index.js';
import { createAppServer } from '../../lib/listen/index.js';
import { startOnFreePort } from '../support/process/free-port.js';
import { useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

function application(): express.Express {
  return express().use(createEndpointRouter({ endpoints: ['tcp://10.0.0.1:8529'] }));
}

/** Lists on the one connection of an agent; whether it had been used before. */
function list(agent: Agent, where: object): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, agent, path: '/_api/endpoint' }, (res: IncomingMessage) => {
      res.resume().on('end', () => {
        resolve(sent.reusedSocket);
      });
    });
    sent.on('error', reject).end();
  });
}

describe('A client that does not reconnect, and lists again after 6.5 s, as some drivers do,', () => {
  it.each(['createAppServer', 'listenOn over tcp', 'listenOn on a socket file'])(
    'finds its connection open: %s',
    async (maker) => {
      const server = createAppServer(application());
      let where: object;
      if (maker === 'createAppServer') {
        await startOnFreePort(server);
        where = { port: (server.address() as AddressInfo).port };
      } else {
        const endpoint = maker === 'listenOn over tcp' ? 'tcp://127.0.0.1:0' : `unix://${scratch('s')}`;
        const { endpoints } = await listen(application(), [endpoint]);
        where =
          maker === 'listenOn over tcp' ? { port: endpoints()[0]?.split(':').at(-1) } : { socketPath: scratch('s') };
      }
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });

      expect(await list(agent, where)).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 6500));
      expect(await list(agent, where)).toBe(true);

      agent.destroy();
      server.close();
    },
  );
});
