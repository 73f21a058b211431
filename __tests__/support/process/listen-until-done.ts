import type { RequestListener } from 'node:http';
import { listenOn, type Listening } from '../../../lib/listen/index.js';

/** A handler for servers whose answers do not matter. */
export const hello: RequestListener = (_req, res) => {
  res.end('hello');
};

/** `listenOn` for a test: whatever listens when a test ends is closed then, and its requests are cut. */
export function useListenOn(): typeof listenOn {
  const open: Listening[] = [];
  afterEach(async () => {
    for (const { servers, close } of open.splice(0)) {
      for (const server of servers) server.closeAllConnections();
      await close();
    }
  });
  return async (...args) => {
    const listening = await listenOn(...args);
    open.push(listening);
    return listening;
  };
}
