import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { ScriptTarget, transpile } from 'typescript';
import {
  createPolledDirectory,
  type DirectoryEvents,
  type EndpointDirectory,
  type PolledDirectoryOptions,
} from '../../lib/directory/index.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { codeBlocks } from '../support/readme/code-blocks.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const opened: EndpointDirectory[] = [];

async function open(options: PolledDirectoryOptions): Promise<EndpointDirectory> {
  const directory = await createPolledDirectory({ pollIntervalMs: 1, ...options });
  opened.push(directory);
  return directory;
}

afterEach(async () => {
  for (const directory of opened.splice(0)) await directory.close();
});

/** What the listeners of an event get when it is emitted next. */
async function next(directory: EndpointDirectory, event: keyof DirectoryEvents): Promise<unknown> {
  return new Promise((resolve) => {
    directory.once(event, (...[given]: unknown[]) => resolve(given));
  });
}

function holdingItself(): Error {
  const error = new AggregateError([], 'no registry');
  error.errors.push(error);
  return error;
}

function unreadable(property: string, error: Error): Error {
  const get = (): never => {
    throw new Error('not yours');
  };
  return Object.defineProperty(error, property, { get });
}

describe('createPolledDirectory', () => {
  it.each<[what: string, read: PolledDirectoryOptions['read']]>([
    ['an array', () => ['tcp://10.0.0.2', 'HTTP://10.0.0.1', A]],
    ['a promise of a Set', () => Promise.resolve(new Set([B, A]))],
    ['a generator', () => [B, A].values()],
  ])('holds what is read, sorted, canonical and each once: %s', async (_what, read) => {
    const directory = await open({ read });
    expect(directory.provider()).toEqual([A, B]);
    expect(directory.status()).toMatchObject({ state: 'live', count: 2, skipped: 0 });
  });

  it('follows the list, serves the last one while it cannot be read, and is live again', async () => {
    let read = (): string[] => [A];
    const directory = await open({ read: () => read() });
    read = () => [A, B];
    expect(await next(directory, 'change')).toEqual([A, B]);
    read = () => {
      throw new Error('the table is locked');
    };
    expect(await next(directory, 'stale')).toEqual(new Error('the table is locked'));
    expect([directory.provider(), directory.status().state]).toEqual([[A, B], 'stale']);
    read = () => [A, B];
    await next(directory, 'live');
  });

  it('skips and reports what is no endpoint, and what is no text', async () => {
    let list: unknown[] = [A];
    const directory = await open({ read: () => list as string[] });
    list = [A, 'nonsense', 7];
    const refusals = (await next(directory, 'skipped')) as Error[];
    expect(refusals.map(({ message }) => message)).toEqual([
      expect.stringContaining('"nonsense" is not an endpoint'),
      'an entry is no text, but number',
    ]);
    expect(directory.status()).toMatchObject({ count: 1, skipped: 2 });
    expect(directory.status().entries.map(({ source }) => source)).toEqual([A, 'nonsense', '']);
  });

  it('believes an empty list when it comes twice in a row', async () => {
    const lists = [[], [A], [], [A], [], []];
    const directory = await open({ read: () => lists.shift() ?? [] });
    expect(directory.provider()).toEqual([A]);
    expect(await next(directory, 'change')).toEqual([]);
    expect(lists).toEqual([]);
  });

  it.each<[what: string, read: () => unknown, reason: string]>([
    ['throws', () => Promise.reject(new Error('no such table')), 'no such table'],
    [
      'throws what is no error',
      () => ({
        then: (_resolve: unknown, reject: (reason: unknown) => void) => reject('gone'),
      }),
      'the function read failed: "gone"',
    ],
    ['gives a text', () => A, "the function read gave 'tcp://10.0.0.1:8529', not a list of strings"],
    ['never ends', () => new Promise(() => undefined), 'no answer within 20 ms'],
  ])('rejects when there is no first list, as read %s', async (_what, read, reason) => {
    const options = { read: read as PolledDirectoryOptions['read'], timeoutMs: 20 };
    await expect(createPolledDirectory(options)).rejects.toThrow(`no list from the registry: ${reason}`);
  });

  it.each<[what: string, thrown: unknown, reason: string]>([
    ['an error that holds itself', holdingItself(), 'no registry: no registry: no registry: no registry'],
    ['an error of thousands', new AggregateError(Array(5000).fill('out')), '"out"'],
    ['an error whose message cannot be read', unreadable('message', new Error('out')), 'failed with object'],
    ['an error whose parts cannot be read', unreadable('errors', new AggregateError([])), 'failed with object'],
    ['an error whose message is no text', Object.assign(new Error('out'), { message: 7 }), 'failed with object'],
    ['an error without words', new Error(''), 'failed with object'],
  ])('keeps polling when read throws %s', async (_what, thrown, reason) => {
    const answers: unknown[] = [[A], thrown];
    const read = (): string[] => {
      const answer = answers.shift() ?? [B];
      if (answer === thrown) throw thrown as Error;
      return answer as string[];
    };
    const directory = await open({ read });
    expect(await next(directory, 'stale')).toEqual(new Error(reason));
    expect(directory.status().lastError).toBe(reason);
    expect(await next(directory, 'change')).toEqual([B]);
    answers.unshift(thrown);
    await expect(createPolledDirectory({ read })).rejects.toThrow(`no list from the registry: ${reason}`);
  });

  it('tells a reading that takes too long, and the one that closing ends', async () => {
    const signals: AbortSignal[] = [];
    const read = (signal: AbortSignal): Promise<string[]> => {
      signals.push(signal);
      return signals.length === 1 ? Promise.resolve([A]) : new Promise(() => undefined);
    };
    const directory = await open({ read, timeoutMs: 20, name: 'Consul' });
    expect(await next(directory, 'stale')).toEqual(new Error('no answer within 20 ms'));
    expect(signals[1]?.aborted).toBe(true);
    while (signals.length < 3) await setImmediate();
    await directory.close();
    expect(signals[2]?.aborted).toBe(true);
    expect(() => directory.provider()).toThrow('cluster backend unavailable');
  });

  it.each<[what: string, options: object, message: string]>([
    ['no read', {}, 'createPolledDirectory: option read is missing; it must be a function'],
    ['a list as read', { read: [A] }, 'createPolledDirectory: option read must be a function, got an array'],
    ['no time for a reading', { read: () => [], timeoutMs: 0 }, 'option timeoutMs must be milliseconds from 1 to'],
    ['an empty name', { read: () => [], name: '' }, 'option name must be a text of 1 character or more, got ""'],
    ['a misspelled option', { read: () => [], pollIntervallMs: 1 }, 'did you mean pollIntervalMs?'],
  ])('refuses %s', async (_what, options, message) => {
    await expect(createPolledDirectory(options as PolledDirectoryOptions)).rejects.toThrow(message);
  });

  it("reads Consul's HTTP API with the lines of docs/cluster.md", async () => {
    const page = readFileSync(join(PACKAGE_FOLDER, 'docs/cluster.md'), 'utf8');
    const block = codeBlocks(page).find(({ text }) => text.includes('createPolledDirectory'));
    const [, lines = ''] = /read: (async[^]*?\n {2}\}),\n/.exec(String(block?.text)) ?? [];
    const asked: string[] = [];
    const fetchInstances = (url: string): Promise<Response> => {
      asked.push(url);
      const instances = [
        { Node: { Address: '10.0.0.2' }, Service: { Address: '', Port: 8529 } },
        { Node: { Address: '10.0.0.9' }, Service: { Address: '10.0.0.1', Port: 8529 } },
      ];
      return Promise.resolve(Response.json(instances, { status: asked.length === 1 ? 200 : 500 }));
    };
    const code = transpile(`(${lines})`, { target: ScriptTarget.ES2022 });
    const read = runInNewContext(code, { fetch: fetchInstances, Error }) as PolledDirectoryOptions['read'];
    const directory = await open({ read });
    expect(directory.provider()).toEqual([A, B]);
    expect(await next(directory, 'stale')).toEqual(new Error('Consul answers 500'));
    expect(asked[0]).toBe('http://127.0.0.1:8500/v1/health/service/coordinator?passing');
  });
});
