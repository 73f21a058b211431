import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadServerOptions, type LoadOptions } from '../../lib/config/index.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';
import { processorMs } from '../support/processor-time.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-bytes-'));
  writeFileSync(join(folder, 'other.conf'), 'server.endpoint = tcp://other:1\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What comes of it: endpoints, or the documented error. Anything else that is thrown fails the test. */
function outcome(options: LoadOptions): 'options' | ConfigError {
  try {
    const { endpoints, sources } = loadServerOptions({ env: { HOST: 'h' }, cwd: folder, ...options });
    if (endpoints.length === 0 || endpoints.length !== sources['server.endpoint']?.length)
      throw new Error('no endpoint');
    return 'options';
  } catch (error) {
    if (!(error instanceof ConfigError) || error.problems.length === 0) throw error;
    return error;
  }
}

function outcomeOfFile(content: string | Uint8Array): 'options' | ConfigError {
  writeFileSync(join(folder, 'any.conf'), content);
  return outcome({ configFile: 'any.conf' });
}

/** Pieces of which a file is nearly right. */
const piece = fc.constantFrom(
  ...Array.from('\n\r\t \0\uFEFF\uFFFD=#;[].:@/%\u{1F600}'),
  ...['\r\n', '[server]', '[cluster:community]', '[ssl:enterprise]', 'endpoint', 'server.endpoint', 'my-role'],
  ...['keyfile', '@@', '@HOST@', '@NOBODY@', '@include ', '@include any', 'other', '.conf', 'tcp://', 'h:1', '..'],
  ...['unix:///s', 'COORDINATOR'],
);

describe('the file parser', () => {
  it('gives options or a ConfigError for any bytes', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
        outcomeOfFile(content);
      }),
      PROPERTY_RUNS,
    ));

  it('gives options or a ConfigError for anything made of the pieces of a file', () => {
    const seen = { options: 0, error: 0 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        seen[outcomeOfFile(pieces.join('')) === 'options' ? 'options' : 'error'] += 1;
      }),
      PROPERTY_RUNS,
    );
    expect(seen.options).toBeGreaterThan(0);
    expect(seen.error).toBeGreaterThan(0);
  });

  it('names the line of a bad line wherever it stands', () => {
    const good = fc.constantFrom(
      '',
      '# comment',
      '[server]',
      'server.endpoint = tcp://h:1',
      '@include other',
      '\uFEFF',
    );
    const lineEnd = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.uniqueArray(good), lineEnd, fc.nat({ max: 5 }), (lines, end, at) => {
        const index = Math.min(at, lines.length);
        const error = outcomeOfFile([...lines.slice(0, index), 'bad line', ...lines.slice(index)].join(end));
        expect(error).toMatchObject({
          problems: [{ file: join(folder, 'any.conf'), line: index + 1, text: '"..."' }],
        });
      }),
      PROPERTY_RUNS,
    );
  });
});

describe('the command line', () => {
  it('gives options or a ConfigError for any arguments', () => {
    const argument = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.constantFrom(
        '--',
        '-',
        '-h',
        '--=',
        '--__proto__',
        '--server.endpoint',
        '--cluster.my-role=',
        '--configuration',
      ),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 8 }), (args) => {
        outcome({ args });
      }),
      PROPERTY_RUNS,
    );
  });

  it('gives a ConfigError for an argument of any length', () => {
    expect(outcome({ args: [`-${'a'.repeat(1_000_000)}`] })).toBeInstanceOf(ConfigError);
    expect(outcome({ args: [`-${'a'.repeat(4095)}`] })).toBeInstanceOf(ConfigError);
  });
});

describe('hostile files', () =>
  it.each([
    ['one line of blanks', ' '.repeat(1_000_000)],
    ['one value with many blanks in it', `server.endpoint = a${' '.repeat(1_000_000)}b`],
    ['one key without an end', 'a'.repeat(1_000_000)],
    ['one name of many dashes', `${'-'.repeat(1_000_000)}=x`],
    ['many @', `ssl.keyfile = ${'@'.repeat(999_999)}x`],
    ['many half references', `ssl.keyfile = ${'@a'.repeat(500_000)}\0`],
    ['many references', `ssl.keyfile = ${'@a@'.repeat(300_000)}\0`],
    ['one include without an end', `@include ${'a/'.repeat(500_000)}`],
    ['many lines of unknown names', 'sever.endpiont = x\n'.repeat(2000)],
    ['many bad endpoints', 'server.endpoint = tcp://h:65536\n'.repeat(5000)],
    ['as many lines as a file may have, of unknown names', 'sever.endpiont = x\n'.repeat(99_999)],
    ['as many lines as a file may have, of bad endpoints', 'server.endpoint = tcp://h:65536\n'.repeat(99_999)],
    ['as many lines as a file may have, of unknown shape', '?\n'.repeat(99_999)],
    ['many opened brackets', '[['.repeat(500_000)],
  ])('are read in one go: %s', (_, content) => {
    const before = processorMs();
    outcomeOfFile(content);
    expect(processorMs() - before).toBeLessThan(10_000);
  }));
