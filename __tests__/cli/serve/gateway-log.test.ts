import { createLog } from '../../../lib/cli/log.js';
import { RuleReview } from '../../../lib/cli/serve/rule-review.js';
import { createTranslatedDirectory } from '../../../lib/directory/index.js';
import { loadServerOptions, type ServerOptions } from '../../../lib/config/index.js';
import { etcdScenario } from '../../support/etcd/etcd-scenario.js';
import { gateways, listed } from '../../support/gateway/gateways.js';
import { goneEndpoint } from '../../support/health/health-directories.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';

const ROLE = ['--cluster.my-role', 'COORDINATOR'];
const A = 'tcp://10.0.0.11:8529';
const B = 'tcp://10.0.0.12:8529';
const C = 'tcp://db3.example:8529';
const rule = (from: string, to = 'ssl://db.example:443'): string => `--cluster.translate=${from}=${to}`;
const nothing = (): Promise<void> => Promise.resolve();

const { serve, run, configured } = gateways();

/** What the review of these options logs, of a list that is translated by the rules of the test. */
function reviewed(...args: string[]) {
  const terminal = new FakeTerminal();
  const log = createLog(terminal, () => options);
  const read = (more: readonly string[]) =>
    loadServerOptions({ args: [...ROLE, '--cluster.upstream=http://a', ...more], env: {} });
  let [options, list]: [ServerOptions, readonly string[]] = [read(args), []];
  const status = () => {
    const rules = Object.fromEntries(options.translations);
    const isTranslated = options.translations.length > 0;
    const unmatched = isTranslated ? (options.translateUnmatched ?? 'skip') : 'keep';
    return createTranslatedDirectory({ endpoints: list, rules, unmatched }).status();
  };
  const review = new RuleReview({ status }, options, options, log);
  const lines = (): string[] => terminal.complaints.splice(0).map((line) => line.replace(/^[^:]*: (?:warn: )?/, ''));
  return {
    begin: (...first: string[]) => {
      list = first;
      review.rulesAre();
      return lines();
    },
    listIs: (...next: string[]) => {
      list = next;
      review.listIs();
      return lines();
    },
    rulesAre: (more: readonly string[], next = list) => {
      [options, list] = [read(more), next];
      review.rulesAre(options, options);
      return lines();
    },
  };
}

describe('The rules of a gateway, compared with the list', () => {
  it('name what is not on the list, for example another port: it is logged at the start, with what has no rule then', () =>
    expect(reviewed(rule('tcp://10.0.0.11:8530'), rule(B)).begin(A, B)).toEqual([
      'rules of --cluster.translate that match no endpoint on the list: tcp://10.0.0.11:8530',
      `not listed, as no rule of --cluster.translate matches: ${A}`,
    ]));

  it('do not name who joins: it is logged once, as long as it stays', () => {
    const { begin, listIs } = reviewed(rule(A));
    expect(begin(A)).toEqual([]);
    expect(listIs(A, B)).toEqual([`not listed, as no rule of --cluster.translate matches: ${B}`]);
    expect(listIs(B, C)).toEqual([`not listed, as no rule of --cluster.translate matches: ${C}`]);
    expect(listIs(A)).toEqual([]);
    expect(listIs(A, B)).toEqual([`not listed, as no rule of --cluster.translate matches: ${B}`]);
  });

  it('take the rest with "*", which may find nothing to take', () => {
    expect(reviewed(rule(A), rule('*')).begin(A, B)).toEqual([]);
    expect(reviewed(rule(A), rule('*')).begin(A)).toEqual([]);
  });

  it('leave the rest as it is with --cluster.translate-unmatched=keep', () =>
    expect(reviewed(rule(A), '--cluster.translate-unmatched=keep').begin(A, B)).toEqual([]));

  it('are compared again when SIGHUP replaces them', () => {
    const { begin, rulesAre } = reviewed(rule(A));
    expect(begin(A, B)).toEqual([`not listed, as no rule of --cluster.translate matches: ${B}`]);
    expect(rulesAre([rule(C), rule(B)])).toEqual([
      `rules of --cluster.translate that match no endpoint on the list: ${C}`,
      `not listed, as no rule of --cluster.translate matches: ${A}`,
    ]);
    expect(rulesAre([rule(C)], [C])).toEqual([]);
  });

  it('are named up to the twentieth', () => {
    const many = Array.from({ length: 22 }, (_, index) => `tcp://db${String(index + 10)}.example:1`);
    expect(reviewed(rule(A)).begin(A, ...many)).toEqual([
      `not listed, as no rule of --cluster.translate matches: ${many.slice(0, 20).join(', ')} and 2 more`,
    ]);
    const [json = ''] = reviewed('--log.format=json', rule(A)).begin(A, ...many);
    expect(JSON.parse(json)).toMatchObject({ endpoints: many.slice(0, 20), count: 22 });
  });
});

describe('An upstream whose list is not translated', () => {
  const WARNING = 'without --cluster.translate, clients get private addresses:';

  it.each(['tcp://192.168.1.2:8529', 'ssl://[fd00::1]:8529', 'tcp://127.0.0.1:8529', 'tcp://localhost:8529'])(
    'is logged when it lists a private address, as %s',
    (endpoint) => expect(reviewed().begin(C, endpoint)).toEqual([`${WARNING} ${endpoint}`]),
  );

  it('is not logged for names and public addresses, nor where rules or an option say what happens', () => {
    expect(reviewed().begin(C, 'tcp://8.8.8.8:8529')).toEqual([]);
    expect(reviewed('--cluster.translate-unmatched=keep').begin(A)).toEqual([]);
    expect(reviewed(rule(A)).begin(A)).toEqual([]);
  });

  it('is logged by the command, once and before it is ready', async () => {
    const upstream = await serve([A, B]);
    const log = await run([...ROLE, '--cluster.upstream', upstream.url], async (url) => {
      expect(await listed(url)).toEqual([A, B]);
    });
    expect(log).toEqual([`coordinators: ${A} ${B}`, `${WARNING} ${A}, ${B}`]);
  });
});

describe('The command as a gateway', () => {
  it('compares the rules with the whole list: the rule of a dead endpoint is in use', async () => {
    const [a, gone] = [await serve([]), await goneEndpoint()];
    const list = [a.endpoint, gone].flatMap((endpoint) => ['--cluster.coordinator', endpoint]);
    const rules = [rule(a.endpoint), rule(gone)];
    const log = await run([...ROLE, ...list, ...rules, '--cluster.health-check=true'], nothing);
    expect(log).toEqual([expect.stringContaining(`${gone} is down: `)]);
  });

  it('says with SIGHUP what does not fit, too', async () => {
    const first = [
      '[server]',
      'endpoint = tcp://127.0.0.1:0',
      '[cluster]',
      'my-role = COORDINATOR',
      `translate = ${A}=tcp://a`,
    ];
    await configured([...first, `coordinator = ${A}`], async ({ hangUp, listed, terminal }) => {
      await hangUp(...first, `coordinator = ${B}`, `coordinator = ${C}`, `translate = ${C}=tcp://c`);
      expect(terminal.complaints.map((line) => line.replace(/^express-endpoint-listing: (?:warn: )?/, ''))).toEqual([
        `rules of --cluster.translate that match no endpoint on the list: ${A}`,
        `not listed, as no rule of --cluster.translate matches: ${B}`,
        'configuration reloaded: changed cluster.coordinator, cluster.translate',
      ]);
      expect(await listed()).toEqual(['tcp://c:8529']);
    });
  });

  it('says at the start that nothing is healthy, and that all is listed then', async () => {
    const gone = await goneEndpoint();
    const log = await run([...ROLE, '--cluster.coordinator', gone, '--cluster.health-check=true'], async (url) => {
      expect(await listed(url)).toEqual([gone]);
    });
    expect(log).toEqual([
      expect.stringContaining(`${gone} is down: `),
      'no endpoint is healthy: serving all 1 until one recovers',
    ]);
  });
});

describe('The command as a gateway in front of etcd', () => {
  const etcd = etcdScenario();

  it('checks what is registered there, compares it with the rules, and says that nothing is healthy once the last one has left', async () => {
    const [a, gone] = [await serve([]), await goneEndpoint()];
    const gateway = await etcd.gateway();
    gateway.put(a.endpoint, gone);
    // This server registers under the address of one that is gone.
    const agency = [
      '--cluster.agency-endpoint',
      gateway.url,
      `--cluster.my-address=${gone}`,
      rule('*', 'tcp://lb'),
      rule(C),
    ];
    const log = await run([...ROLE, ...agency, '--cluster.health-check=true'], async (url, terminal) => {
      expect(await listed(url)).toEqual(['tcp://lb:8529']);
      gateway.delete(a.endpoint);
      await terminal.until(/no endpoint is healthy/);
      expect(await listed(url)).toEqual(['tcp://lb:8529']);
    });
    await a.close();
    expect(log.filter((line) => line.includes('--cluster.translate'))).toEqual([
      `rules of --cluster.translate that match no endpoint on the list: ${C}`,
    ]);
    expect(log.at(-1)).toBe('no endpoint is healthy: serving all 1 until one recovers');
  });
});
