import { EventEmitter } from 'node:events';
import express from 'express';
import express4 from 'express4';
import createError from 'http-errors';
import request from 'supertest';
import type { DirectoryEntry, DirectoryStatus, EntryCheck } from '../../lib/directory/directory.js';
import { createListingPage, type ListingPageOptions, type PageDirectory } from '../../lib/page/index.js';
import { createTranslatedDirectory, type DirectoryRules } from '../../lib/directory/index.js';
import { createHealthDirectory } from '../../lib/health/index.js';
import { formatEndpoint, translateEndpoints, type ServerRole } from '../../lib/index.js';
import { until } from '../support/until.js';

/** A directory whose state the test says. */
class FakeDirectory extends EventEmitter implements PageDirectory {
  state: DirectoryStatus['state'] = 'live';
  ageMs = 1200;
  lastError: string | undefined;
  entries: DirectoryStatus['entries'] = [];
  whenNoneHealthy: DirectoryStatus['whenNoneHealthy'];

  status(): ReturnType<PageDirectory['status']> {
    const { state, ageMs, lastError, entries, whenNoneHealthy } = this;
    return {
      ...{ count: 0, down: 0, skipped: 0, relists: 0, events: 0, entries, state, ageMs },
      ...(lastError !== undefined && { lastError }),
      ...(whenNoneHealthy !== undefined && { whenNoneHealthy }),
    };
  }
}

// How long ago something was, is what it says, however busy the machine.
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000));

const COORDINATORS = ['tcp://10.0.0.1:8529', 'ssl://10.0.0.2:8529'];
const NONE_LISTED = 'none of the endpoints that the provider gave can be listed.';

/** An entry whose check has been in a state for so many ms. */
function checked(
  endpoint: string,
  state: EntryCheck['state'],
  ageMs: number,
  more: Partial<EntryCheck> = {},
): DirectoryEntry {
  const since = Date.now() - ageMs;
  return {
    source: endpoint,
    endpoint,
    state: state === 'up' ? 'listed' : 'down',
    since,
    check: { state, since, ...more },
  };
}

/** The document that a browser gets. */
async function documentOf(options: ListingPageOptions): Promise<string> {
  return textOf(createListingPage(options));
}

async function textOf(page: ReturnType<typeof createListingPage>): Promise<string> {
  const { text } = await request(express().use(page)).get('/').expect(200);
  return text;
}

/** What stands in a document, without its tags and blanks. */
function words(document: string): string {
  return document
    .replaceAll(/<script[^>]*><\/script>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'")
    .trim();
}

describe.each([
  ['5', express],
  ['4', express4],
])('on Express %s, the page', (_major, create) => {
  const app = create().use('/admin/listing', createListingPage({ endpoints: COORDINATORS, role: 'coordinator' }));

  it('is one document, one script and one style sheet, under 30 kB together', async () => {
    const document = await request(app)
      .get('/admin/listing/')
      .expect(200)
      .expect('Content-Type', 'text/html; charset=utf-8');
    const script = await request(app).get('/admin/listing/listing-page.js').expect(200);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const style = await request(app).get('/admin/listing/listing-page.css').expect(200);
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    const lengths = [document, script, style].map(({ headers }) => Number(headers['content-length']));
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(30_000);
    expect([...document.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, file]) => file)).toEqual([
      'listing-page.css',
      'listing-page.js',
      '../../_api/cluster/endpoints',
      '../../_api/endpoint',
    ]);
  });

  it.each(['/admin/listing/', '/admin/listing/listing-page.js', '/admin/listing/listing-page.css', '/admin/listing'])(
    'is neither cached, framed nor indexed, and runs no other script: %s',
    async (path) => {
      const { headers } = await request(app).get(path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
      });
    },
  );

  it('is found with and without the slash at its end, behind whatever path a proxy has removed', async () => {
    await request(app).get('/admin/listing?a=1').expect(308).expect('Location', './listing/?a=1');
  });

  it('answers HEAD without a body, and leaves everything else to the host', async () => {
    const head = await request(app).head('/admin/listing/').expect(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
    expect(head.text).toBeUndefined();
    await request(app).post('/admin/listing/').expect(404);
    await request(app).get('/admin/listing/other').expect(404);
    await request(app).get('/admin/listing/Listing-Page.js').expect(404);
  });
});

describe('the document', () => {
  it('shows the role and both listings', async () => {
    const endpoints: ListingPageOptions['endpoints'] = ({ listing, database }) => {
      expect(database).toBe('_system');
      return listing === 'cluster' ? COORDINATORS : ['tcp://127.0.0.1:8529', 'unix:///run/a.sock'];
    };
    const text = words(await documentOf({ endpoints, role: () => 'coordinator', title: 'Production' }));
    expect(text).toMatch(
      /^Production Production Refresh now Pause 2 coordinators are listed\. Role Coordinator Coordinators 2 Reachable from here – /,
    );
    expect(text).toContain(
      'GET /_api/cluster/endpoints Endpoint From here Listed for Last 60 s Copy tcp://10.0.0.1:8529',
    );
    expect(text).toContain('This server listens on GET /_api/endpoint Endpoint From here Copy http://127.0.0.1:8529');
    expect(text).toContain('unix:///run/a.sock not tried yet Endpoint As of');
  });

  it('has one table where both listings have the same endpoints', async () => {
    const text = words(await documentOf({ endpoints: COORDINATORS, role: 'coordinator' }));
    expect(text).toContain('GET /_api/cluster/endpoints and GET /_api/endpoint have the same endpoints');
    expect(text).not.toContain('This server listens on');
  });

  it('lets long lists be filtered, and shows the first 2,000 of a longer one', async () => {
    const listOf = (length: number): Promise<string> =>
      documentOf({
        endpoints: Array.from({ length }, (_, index) => `tcp://h${String(index)}:1`),
        role: 'coordinator',
      });
    const filter = 'Filter Only problems';
    expect(words(await listOf(20))).not.toContain(filter);
    expect(words(await listOf(21))).toContain(filter);
    const document = await listOf(2001);
    expect(words(document)).toContain('Only the first 2000 of 2001 are shown, problems first.');
    expect(document.match(/data-key=/g)).toHaveLength(2000);
  });

  it('gives the Unicode form of a host name in punycode', async () => {
    const endpoints = ['ssl://xn--bcher-kva.example:443', 'tcp://plain.example:1'];
    const text = words(await documentOf({ endpoints, role: 'coordinator' }));
    expect(text).toContain('ssl://xn--bcher-kva.example:443 bücher.example not');
    expect(text).toContain('tcp://plain.example:1 not');
  });

  it.each([
    ['single', 'Single server'],
    ['dbserver', 'DB-Server'],
    ['agent', 'Agent'],
  ] as const)('of a %s has no cluster listing, and asks nobody for it', async (role, shown) => {
    const endpoints = jest.fn(() => ['tcp://127.0.0.1:8529']);
    const text = words(await documentOf({ endpoints, role }));
    expect(text).toContain(`Role ${shown} Reachable`);
    expect(text).toContain('This server is not a Coordinator: the cluster route answers 501.');
    expect(endpoints).toHaveBeenCalledTimes(1);
  });

  it.each<[what: string, role: () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('openSesame');
      },
    ],
    ['gives no role', () => 'openSesame'],
    ['gives a promise', () => Promise.reject(new Error('openSesame'))],
  ])('says so when the role cannot be told, as its function %s', async (_what, role) => {
    const document = await documentOf({ endpoints: [], role: role as () => ServerRole });
    expect(words(document)).toContain('Role unknown');
    expect(words(document)).toContain('The role of this server cannot be told: the cluster route answers 500.');
    expect(document).not.toContain('openSesame');
  });

  it('says when nobody is listed, and what is skipped', async () => {
    const empty = words(await documentOf({ endpoints: [], role: 'coordinator' }));
    expect(empty).toContain('No endpoint is listed. Drivers that take this list keep the hosts they have, or fail.');
    const endpoints = ['tcp://0.0.0.0:1', 'nonsense'];
    const skipped = words(await documentOf({ endpoints, role: 'coordinator' }));
    expect(skipped).toContain(
      "2 entries of the source are skipped, as clients cannot use them. The server's log says why.",
    );
    expect(skipped).toContain(`The list could not be loaded: ${NONE_LISTED} The route answers 500.`);
    expect(skipped).toContain('Coordinators – ');
    expect(skipped).not.toMatch(/tcp:\/\/0|nonsense/);
    const named = words(await documentOf({ endpoints, role: 'coordinator', showSources: true }));
    expect(named).toMatch(/tcp:\/\/0\.0\.0\.0:1 : .* nonsense : it has no &quot;&lt;scheme&gt;:\/\/&quot;/);
  });

  it('says what translation has skipped', async () => {
    const rules = { 'tcp://10.0.0.1:8529': 'ssl://db1.example:443' };
    const endpoints = translateEndpoints(() => COORDINATORS, rules) as ListingPageOptions['endpoints'];
    const text = words(await documentOf({ endpoints, role: 'coordinator' }));
    expect(text).toContain('ssl://db1.example:443');
    expect(text).toContain('1 entry of the source is skipped, as clients cannot use it.');
    expect(text).not.toContain('10.0.0');
    expect(words(await documentOf({ endpoints, role: 'coordinator', showSources: true }))).toContain(
      'no rule of translateEndpoints names it',
    );
  });

  const FAILED = "the provider failed. See the server's log.";
  it.each<[string, () => unknown, string]>([
    ['throws', () => Promise.reject(new Error('openSesame')), FAILED],
    [
      'throws what others may read',
      () => Promise.reject(createError(503, 'cluster backend unavailable', { expose: true })),
      '503: cluster backend unavailable',
    ],
    ['gives a text', () => 'openSesame', FAILED],
    ['gives nothing', () => undefined, FAILED],
    ['gives a Map', () => new Map([['tcp://a:1', 'b']]), FAILED],
  ])('says so when the provider %s', async (_what, give, why) => {
    const endpoints = give as ListingPageOptions['endpoints'];
    const document = await documentOf({ endpoints, role: 'coordinator' });
    expect(words(document)).toContain(`The list could not be loaded: ${why}`);
    expect(document).toContain('<main class="doubt">');
    expect(document).not.toContain('openSesame');
  });

  it('waits for the provider no longer than its timeout, and tells it', async () => {
    let signal: AbortSignal | undefined;
    const endpoints: ListingPageOptions['endpoints'] = (query) => {
      signal = query.signal;
      return new Promise(() => undefined);
    };
    const text = words(await documentOf({ endpoints, timeoutMs: 20 }));
    expect(text).toContain('The list could not be loaded: the provider took longer than 20 ms');
    expect(signal?.aborted).toBe(true);
    expect(words(await documentOf({ endpoints: () => ['tcp://a:1'], timeoutMs: Infinity }))).toContain('http://a:1');
  });

  it('escapes every value, whoever it comes from', async () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const directory = new FakeDirectory();
    directory.state = 'stale';
    directory.lastError = evil;
    directory.entries = [
      checked(evil, 'down', 1, { reason: evil }),
      { source: evil, state: 'skipped', reason: evil, since: 0 },
    ];
    const endpoints: ListingPageOptions['endpoints'] = ({ listing }) => {
      if (listing === 'server') throw createError(503, evil, { expose: true });
      return [evil, 'tcp://a:1'];
    };
    const page = createListingPage({ endpoints, role: 'coordinator', directory, title: evil, showSources: true });
    directory.emit('change', [`tcp://${evil}`]);
    const document = await textOf(page);
    expect(document).not.toContain('<img');
    expect(document).not.toContain(`alert('`);
    // Twice the title; the skipped entry; the last failure; the health with its reason; who has left; the problem.
    const escaped = '&lt;img src=x onerror=';
    expect(document.split(escaped).length - 1).toBeGreaterThanOrEqual(9);
  });

  it('goes to the error handler of the host when a directory of its own make fails', async () => {
    const directory = Object.assign(new FakeDirectory(), {
      status: () => {
        throw createError(418, 'broken');
      },
    });
    await request(express().use(createListingPage({ endpoints: [], directory })))
      .get('/')
      .expect(418);
  });
});

describe('the state of the directory', () => {
  async function stateOf(change: Partial<FakeDirectory>): Promise<string> {
    const directory = Object.assign(new FakeDirectory(), change);
    return words(await documentOf({ endpoints: COORDINATORS, role: 'coordinator', directory }));
  }

  it('stands at the top, with its age', async () => {
    expect(await stateOf({})).toContain('List live confirmed 1 s ago');
    expect(await stateOf({ lastError: 'long ago' })).not.toContain('long ago');
  });

  it('says what follows from it when it is not live', async () => {
    const stale = { state: 'stale', ageMs: 180_000, lastError: 'etcd at 10.9.9.9 does not answer' } as const;
    expect(await stateOf(stale)).toMatch(
      /The list is 3 min old: its source does not answer\. 2 coordinators are listed\. .* List stale confirmed 3 min ago/,
    );
    expect(await stateOf(stale)).not.toContain('10.9.9.9');
    expect(await stateOf({ state: 'expired', ageMs: 3 * 3_600_000 })).toMatch(
      /The list has expired: its source has not answered for 3 h\. The cluster route answers 503\. .* expired confirmed 3 h ago/,
    );
    const expired = { state: 'expired', entries: [checked('tcp://10.0.0.1:8529', 'up', 5000)] } as const;
    const directory = Object.assign(new FakeDirectory(), expired);
    const endpoints = () => Promise.reject(createError(503, 'cluster backend unavailable', { expose: true }));
    expect(words(await documentOf({ endpoints, role: 'coordinator', directory }))).toMatch(
      /Coordinators – List expired .* tcp:\/\/10\.0\.0\.1:8529 not tried yet healthy for 5 s not served – /,
    );
    expect(await stateOf({ state: 'closed', ageMs: 3 * 86_400_000 })).toMatch(
      /The directory is closed: the cluster route answers 503\. .* List closed confirmed 3 d ago/,
    );
  });
});

describe('The drivers that an endpoint breaks', () => {
  const endpoints = ['tcp://10.0.0.1:8529', 'tcp://[fd00::5]:8529'];
  const shown = async (options: object): Promise<string> => {
    const page = createListingPage({ role: 'coordinator', endpoints, ...options });
    const { text } = await request(express().use('/listing', page)).get('/listing/').expect(200);
    return text;
  };

  it('stand below it, with what they do, where that is asked for', async () => {
    const text = await shown({ drivers: true });
    expect(words(text)).toContain('tcp://[fd00::5]:8529 java: misreads it; kafka-connect: fails not tried yet');
    expect(words(text)).toContain('tcp://10.0.0.1:8529 not tried yet');
    expect(Buffer.byteLength(text)).toBeLessThan(17_000);
  });

  it('are not named by default', async () => {
    expect(await shown({})).not.toContain('java');
  });

  it('are those that ask for the listing', async () => {
    const page = createListingPage({ endpoints: ['tcp://0.0.0.0:8529'], drivers: true });
    const { text } = await request(express().use('/listing', page)).get('/listing/');
    expect(words(text)).toContain('http://0.0.0.0:8529 arangodb-php: reaches its own machine not tried yet');
  });
});

describe('the health of endpoints', () => {
  it('stands beside each, also of those that it keeps off the list, problems first, and why in words of its own', async () => {
    const directory = new FakeDirectory();
    const down = (host: string, reason?: string): DirectoryEntry =>
      checked(`tcp://${host}:8529`, 'down', 30_000, reason === undefined ? {} : { reason });
    directory.entries = [
      checked('tcp://10.0.0.1:8529', 'up', 420_000, { ms: 2.4 }),
      down('d1', 'connect ECONNREFUSED 10.1.1.1:8529'),
      down('d2', 'the answer is 503'),
      down('d3', 'the certificate is not for d3 but db.internal'),
      down('d4', 'said by the upstream'),
      down('d5'),
      checked('tcp://10.0.0.4:8529', 'unknown', 5000),
      { source: 'nonsense', state: 'skipped', reason: 'it is no endpoint', since: 0 },
    ];
    const text = words(await documentOf({ endpoints: COORDINATORS, role: 'coordinator', directory }));
    expect(text).toContain('5 of 8 coordinators are down: tcp://d1:8529, tcp://d2:8529, tcp://d3:8529 and 2 more.');
    expect(text).toMatch(
      new RegExp(
        [
          'tcp://d1:8529 – failing for 30 s: refuses connections not listed – Endpoint check',
          'tcp://d2:8529 – failing for 30 s: answers with status 503 not listed',
          'tcp://d3:8529 – failing for 30 s: its certificate is not trusted not listed',
          'tcp://d4:8529 – failing for 30 s not listed',
          'tcp://d5:8529 – failing for 30 s not listed',
          'tcp://10.0.0.1:8529 not tried yet healthy in 2 ms, for 7 min – ',
          'ssl://10.0.0.2:8529 not tried yet – – ',
          'tcp://10.0.0.4:8529 – not checked yet for 5 s not listed – ',
        ].join('.* '),
      ),
    );
    expect(text).toContain('Coordinators 2 ');
    expect(text).not.toMatch(/10\.1\.1\.1|internal|upstream|nonsense/);
  });

  it.each<[string, EntryCheck['state'][], DirectoryStatus['whenNoneHealthy'], string]>([
    ['all is well', ['up', 'up'], undefined, 'Both coordinators are healthy.'],
    ['one is down', ['up', 'down'], undefined, '1 of 2 coordinators is down: ssl://10.0.0.2:8529.'],
    [
      'the whole list is served, as all are down',
      ['down', 'down'],
      'all',
      'Both coordinators are down. The whole list is served until one recovers.',
    ],
    ['nothing is served then', ['down', 'down'], 'none', 'Both coordinators are down. An empty list is served.'],
    [
      'no check has ended',
      ['unknown', 'unknown'],
      undefined,
      'No coordinator has been checked yet. The whole list is served until one recovers.',
    ],
    [
      'the only one is down',
      ['down'],
      undefined,
      'The only coordinator is down. The whole list is served until one recovers.',
    ],
  ])('is summed up in the first line: %s', async (_what, states, whenNoneHealthy, said) => {
    const directory = Object.assign(new FakeDirectory(), { whenNoneHealthy });
    directory.entries = states.map((state, index) => checked(String(COORDINATORS[index]), state, 5000));
    const endpoints = COORDINATORS.slice(0, whenNoneHealthy === 'none' ? 0 : states.length);
    expect(words(await documentOf({ endpoints, role: 'coordinator', directory }))).toContain(said);
  });

  it('is what makes a list fail that is not served while nothing is healthy', async () => {
    const directory = Object.assign(new FakeDirectory(), { whenNoneHealthy: 'fail' as const });
    directory.entries = [checked('tcp://10.0.0.1:8529', 'down', 5000)];
    const endpoints = () => Promise.reject(createError(503, 'cluster backend unavailable', { expose: true }));
    expect(words(await documentOf({ endpoints, role: 'coordinator', directory }))).toContain(
      'The only coordinator is down. 503: cluster backend unavailable Role',
    );
  });
});

describe('what is behind this server', () => {
  const INNER = ['tcp://10.9.9.1:8529', 'tcp://10.9.9.2:8529', 'tcp://10.9.9.3:8529'];
  const [A = '', B = '', C = ''] = INNER;
  const healthy = new Set(INNER);
  const opened: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const directory of opened.splice(0).reverse()) await directory.close();
    INNER.forEach((inner) => healthy.add(inner));
  });

  /** A gateway whose members live and die as the test says, and its page. */
  async function gateway(rules: DirectoryRules, options: Partial<ListingPageOptions> = {}) {
    const health = await createHealthDirectory({
      endpoints: INNER,
      intervalMs: 1,
      check: ({ host }) => {
        if (!healthy.has(`tcp://${host}:8529`)) throw new Error(`${host} says: no inner word`);
        return Promise.resolve();
      },
    });
    const directory = createTranslatedDirectory({ endpoints: health, rules });
    opened.push(health, directory);
    const page = createListingPage({ role: 'coordinator', endpoints: directory.provider, directory, ...options });
    return { health, directory, page };
  }

  const rules = { [A]: 'ssl://a.example:443', [B]: 'ssl://b.example:443' };

  const INSIDE = /10\.9\.9|inner/;

  it('is not shown: members that died are struck through under their translation, with the reason', async () => {
    const { directory, page } = await gateway(rules);
    healthy.delete(A);
    await until('one is down', () => directory.status().down === 1);
    const document = await textOf(page);
    expect(words(document)).toContain('1 of 2 coordinators is down: ssl://a.example:443.');
    expect(document).toMatch(/class="gone problem"[^]*<code>ssl:\/\/a\.example:443[^]*failing/);
    expect(words(document)).toContain('1 entry of the source is skipped');
    expect(document).not.toMatch(INSIDE);

    healthy.delete(B);
    await until('all are down', () => directory.status().healthy === 0);
    const all = await textOf(page);
    expect(words(all)).toContain('Both coordinators are down. The whole list is served until one recovers.');
    expect(words(all)).toContain('Coordinators 2 ');
    expect(all).not.toMatch(INSIDE);
  });

  it('is not shown after rules that hide what was listed before, and has left', async () => {
    const { directory, page } = await gateway((endpoint) =>
      endpoint.host === '10.9.9.1' ? 'ssl://a.example:443' : formatEndpoint(endpoint),
    );
    healthy.delete(C);
    await until('one is down', () => directory.status().down === 1);
    expect(await textOf(page)).toContain(C);
    directory.replaceRules(rules);
    expect(await textOf(page)).toContain('ssl://b.example:443');
    expect(await textOf(page)).not.toMatch(INSIDE);
  });

  it('is not shown where something behind the directory translates', async () => {
    const { health } = await gateway(rules);
    const endpoints = translateEndpoints(health.provider, rules) as ListingPageOptions['endpoints'];
    const page = createListingPage({ role: 'coordinator', endpoints, directory: health });
    health.emit('change', INNER);
    expect(words(await textOf(page))).toContain('Coordinators 2 List live');
    healthy.delete(A);
    await until('one is down', () => health.status().down === 1);
    expect(await textOf(page)).not.toMatch(INSIDE);
  });

  it('is not shown where rules name nothing of the list, which then is none', async () => {
    const { directory, page } = await gateway({ 'tcp://other:1': 'tcp://b:1' });
    const bare = createListingPage({ role: 'coordinator', endpoints: directory.provider });
    for (const text of [words(await textOf(page)), words(await textOf(bare))]) {
      expect(text).toContain(`The list could not be loaded: ${NONE_LISTED} The route answers 500.`);
      expect(text).toContain('3 entries of the source are skipped');
      expect(text).not.toMatch(INSIDE);
    }
  });

  it('is shown where the host asks for it', async () => {
    const { directory, page } = await gateway(rules, { showSources: true });
    healthy.delete(A);
    await until('one is down', () => directory.status().down === 1);
    const text = words(await textOf(page));
    expect(text).toContain(`ssl://a.example:443 from ${A} – failing for 0 s: 10.9.9.1 says: no inner word`);
    expect(text).toContain(`${C} : no rule names it`);
  });

  it('is one endpoint where one address stands for all, healthy while one of them is', async () => {
    const { directory, page } = await gateway({ '*': 'tcp://balancer.example:8529' });
    healthy.delete(A);
    healthy.delete(B);
    await until('two are down', () => directory.status().down === 2);
    const text = words(await textOf(page));
    expect(text).toContain('The only coordinator is healthy.');
    expect(text).toContain('Coordinators 1 ');
    expect(text.match(/tcp:\/\/balancer\.example:8529/g)).toHaveLength(1);
  });
});

describe('the timeline', () => {
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  let now = 1000;
  const minute = 60_000;

  /** A page and the directory behind it, whose list the test changes. */
  function timeline(): { change: (list: readonly string[], later: number) => void; text: () => Promise<string> } {
    const directory = new FakeDirectory();
    let list: readonly string[] = [];
    const page = createListingPage({ endpoints: () => list, role: 'coordinator', directory });
    return {
      change: (next, later) => {
        now += later;
        list = next;
        directory.emit('change', next);
      },
      text: () => textOf(page),
    };
  }

  const barsOf = (document: string, endpoint: string): string[][] => {
    const row = document.slice(document.indexOf(`data-key="${endpoint}"`)).split('</tr>')[0] ?? '';
    return [...row.matchAll(/<rect\s+x="(\d+)"\s+width="(\d+)"/g)].map(([, x = '', width = '']) => [x, width]);
  };

  it('has a bar for each time that an endpoint was listed, from the directory, whether anybody looked or not', async () => {
    const { change, text } = timeline();
    change(['tcp://a:1', 'tcp://b:1'], 0);
    change(['tcp://a:1'], 10 * minute);
    change(['tcp://a:1', 'tcp://b:1', 'tcp://c:1'], 5 * minute);
    now += 5 * minute;
    const document = await text();
    expect(barsOf(document, 'tcp://a:1')).toEqual([['0', '1000']]);
    expect(barsOf(document, 'tcp://b:1')).toEqual([
      ['0', '500'],
      ['750', '250'],
    ]);
    expect(barsOf(document, 'tcp://c:1')).toEqual([['750', '250']]);
    expect(words(document)).toContain(
      'Last 20 min Copy tcp://a:1 not tried yet over 20 min Endpoint check tcp://b:1 not tried yet 5 min',
    );
    expect(document).toContain('aria-label="listed from 20 min to 10 min ago, listed since 5 min ago"');
  });

  it('keeps who has left for an hour, the last one first', async () => {
    const { change, text } = timeline();
    change(['tcp://a:1', 'tcp://b:1', 'tcp://c:1'], 0);
    change(['tcp://b:1', 'tcp://c:1'], minute);
    change(['tcp://c:1'], minute);
    expect(words(await text())).toMatch(/tcp:\/\/b:1 – left just now Endpoint check tcp:\/\/a:1 – left 60 s ago/);
    change(['tcp://c:1'], 59.5 * minute);
    const document = await text();
    expect(document).not.toContain('tcp://a:1');
    expect(barsOf(document, 'tcp://b:1')).toEqual([['0', '8']]);
    expect(words(document)).toContain('Last 60 min');
  });

  it('keeps a bounded number of changes and of endpoints that have left', async () => {
    const { change, text } = timeline();
    const many = Array.from({ length: 1500 }, (_, index) => `tcp://h${String(index)}:1`);
    change(many, 0);
    change([], 1000);
    for (let turn = 0; turn < 120; turn += 1) change(turn % 2 === 0 ? ['tcp://a:1'] : [], 1000);
    const document = await text();
    expect(document.match(/left /g)).toHaveLength(1000);
    expect(barsOf(document, 'tcp://a:1')).toHaveLength(50);
  });

  it('knows, without a directory, what it has seen when somebody looked', async () => {
    let list = ['tcp://a:1'];
    const page = createListingPage({ endpoints: () => list, role: 'coordinator' });
    await textOf(page);
    now += minute;
    list = ['tcp://b:1'];
    expect(words(await textOf(page))).toMatch(
      /tcp:\/\/b:1 not tried yet just now Endpoint check tcp:\/\/a:1 – left just now/,
    );
  });

  it('takes a provider that fails for no change', async () => {
    let fails = false;
    const endpoints = (): string[] => {
      if (fails) throw new Error('no');
      return ['tcp://a:1'];
    };
    const page = createListingPage({ endpoints, role: 'coordinator' });
    await textOf(page);
    fails = true;
    now += minute;
    expect(await textOf(page)).not.toContain('left');
  });
});

describe('the options', () => {
  const refuse = (options: unknown) => () => createListingPage(options as ListingPageOptions);

  it.each<[unknown, string]>([
    [{}, 'createListingPage: option endpoints is missing; it must be a function or an array of endpoints'],
    [{ endpoints: 'tcp://a:1' }, 'option endpoints must be a function or an array of endpoints, got "tcp://a:1"'],
    [{ endpoints: [1] }, 'option endpoints must be a function or an array of endpoints, got an array'],
    [
      { endpoints: [], role: 'leader' },
      "option role must be 'single', 'coordinator', 'dbserver', 'agent' or a function, got \"leader\"",
    ],
    [{ endpoints: [], directory: {} }, 'option directory must be a directory, got object'],
    [{ endpoints: [], directory: null }, 'option directory must be a directory, got null'],
    [{ endpoints: [], title: '' }, 'option title must be a text of 1 character or more, got ""'],
    [{ endpoints: [], timeoutMs: 0 }, 'option timeoutMs must be a number of milliseconds above 0'],
    [
      { endpoints: [], titel: 'x' },
      'unknown option "titel"; allowed: endpoints, role, directory, drivers, showSources, title, timeoutMs',
    ],
  ])('are refused when the page is made: %j', (options, message) => {
    expect(refuse(options)).toThrow(TypeError);
    expect(refuse(options)).toThrow(message);
  });

  it('are copied: a list that changes afterwards changes nothing', async () => {
    const endpoints = ['tcp://a:1'];
    const page = createListingPage({ endpoints, role: 'coordinator' });
    endpoints.push('tcp://b:1');
    expect(await textOf(page)).not.toContain('tcp://b:1');
  });
});
