import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Server } from 'node:http';
import supertest from 'supertest';
import type { EndpointProvider } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';
import { until } from '../support/until.js';

const SERVER = '/_api/endpoint';

const frozen = (host: string): readonly string[] => Object.freeze([`tcp://${host}`]);
const body = (host: string): string => `[{"endpoint":"http://${host}:8529"}]`;

/** How often the router has looked at the entries of a list. */
function watched(list: readonly string[]): { list: readonly string[]; reads: () => number } {
  let reads = 0;
  const proxy = new Proxy(list, {
    get(target, key, receiver) {
      if (key === '0') reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list: proxy, reads: () => reads };
}

async function ask(server: Server): Promise<string> {
  return (await supertest(server).get(SERVER).expect(200)).text;
}

function provider(): { give: (list: readonly string[]) => void; endpoints: EndpointProvider } {
  let list: readonly string[] = [];
  return { give: (next) => (list = next), endpoints: () => list };
}

describe('Frozen lists that a provider gives in turns', () => {
  it('are read once each, as long as there are at most eight; a ninth pushes the one out that came first', async () => {
    const { give, endpoints } = provider();
    const server = serverOf({ endpoints });
    const lists = Array.from({ length: 9 }, (_, index) => watched(frozen(`h${String(index)}`)));
    const round = async (from: number, to: number): Promise<number[]> => {
      for (const [index, { list }] of lists.entries()) {
        if (index < from || index >= to) continue;
        give(list);
        expect(await ask(server)).toBe(body(`h${String(index)}`));
      }
      return lists.map(({ reads }) => reads());
    };
    const readsOfEight = await round(0, 8);
    expect(await round(0, 8)).toEqual(readsOfEight);
    const readsOfNine = await round(8, 9);
    expect(await round(1, 9)).toEqual(readsOfNine);
    expect((await round(0, 1))[0]).toBeGreaterThan(Number(readsOfNine[0]));
  });

  it('are not held: a list that the host has dropped is collected, and its body with it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { give, endpoints } = provider();
    const server = serverOf({ endpoints });
    const dropped: WeakRef<object>[] = [];
    const giveAndDrop = (host: string): void => {
      const list = frozen(host);
      dropped.push(new WeakRef(list));
      give(list);
    };
    for (const host of ['a', 'b', 'c']) {
      giveAndDrop(host);
      await ask(server);
    }
    const kept = frozen('kept');
    give(kept);
    await ask(server);
    await until('they are collected', () => {
      collect();
      return dropped.every((list) => list.deref() === undefined);
    });

    // The places of those that are gone are free for others.
    for (let index = 0; index < 9; index += 1) {
      give(frozen(`h${String(index)}`));
      expect(await ask(server)).toBe(body(`h${String(index)}`));
    }
  });
});

describe('A frozen list that can change all the same is never served stale', () => {
  it('when an entry is a getter', async () => {
    let host = 'a';
    const list = Object.freeze(
      Object.defineProperty([] as string[], '0', { get: () => `tcp://${host}`, enumerable: true }),
    );
    const server = serverOf({ endpoints: () => list });
    expect(await ask(server)).toBe(body('a'));
    host = 'b';
    expect(await ask(server)).toBe(body('b'));
  });

  it('when it has a hole, which its prototype may fill', async () => {
    const prototype = Object.create(Array.prototype, { 0: { value: 'tcp://a', writable: true } }) as { 0: string };
    const list = Object.freeze(Object.setPrototypeOf(new Array(1), prototype) as string[]);
    const server = serverOf({ endpoints: () => list });
    expect(await ask(server)).toBe(body('a'));
    prototype[0] = 'tcp://b';
    expect(await ask(server)).toBe(body('b'));
  });
});
