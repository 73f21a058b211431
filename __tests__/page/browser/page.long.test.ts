import { makeCertificate } from '../../support/certificate.js';
import { useListedServers } from '../../support/check/listed-servers.js';
import { useBrowser } from './chromium.js';
import { rowOf, summaryOf, untilRow } from './reading.js';
import { PageHost } from '../../support/page/page-host.js';
import { pause, until } from '../../support/until.js';

const servers = useListedServers();
const browser = useBrowser();
let host: PageHost;

beforeEach(() => {
  host = new PageHost();
});
afterEach(() => host.stop());

describe('what a person sees', () => {
  it('is the role, the state of the list, both listings, and what can be reached from here', async () => {
    const [alive, gone] = [await servers.plain(), await servers.gone()];
    host.list = [alive, gone];
    await host.start();
    const page = await browser.open(host.url);
    expect(await page.title()).toBe('Endpoint listing');
    await untilRow(page, alive, /reachable/);
    await untilRow(page, gone, /not reachable/);
    expect(await summaryOf(page)).toBe(
      'Role Coordinator Coordinators 2 List live confirmed 1 s ago Reachable from here 1 of 2',
    );
    expect(await page.getByRole('heading').allInnerTexts()).toEqual([
      'Endpoint listing',
      'Coordinators',
      'This server listens on',
    ]);
    expect(await rowOf(page, 'unix:///run/listing.sock')).toBe(
      'unix:///run/listing.sock not tried: a unix socket Endpoint',
    );
    expect(await rowOf(page, 'http://0.0.0.0:8530')).toBe(
      'http://0.0.0.0:8530 not tried: a wildcard address Endpoint check',
    );
    expect(await page.locator('#verdict').innerText()).toBe(
      `2 coordinators are listed. 1 of 2 coordinators cannot be reached from here: ${gone}.`,
    );
  });

  it('says so when an endpoint takes too long', async () => {
    const frozen = await servers.frozen();
    host.list = [frozen];
    await host.start();
    const page = await browser.open(host.url);
    await untilRow(page, frozen, /not reachable: no answer in 3 s/);
  });

  it('changes by itself: who joins, who leaves, and how healthy they are', async () => {
    const [first, second] = [await servers.plain(), await servers.plain()];
    host.list = [first];
    host.health = [{ endpoint: first, state: 'up', ageMs: 60_000, ms: 1 }];
    await host.start();
    host.change([first]);
    const page = await browser.open(host.url);
    await untilRow(page, first, /reachable ?healthy in 1 ms, for 60 s/);
    host.change([second]);
    host.health = [
      { endpoint: first, state: 'down', ageMs: 1000, reason: 'connect ECONNREFUSED' },
      { endpoint: second, state: 'up', ageMs: 1000, ms: 1 },
    ];
    await untilRow(page, second, /reachable ?healthy in 1 ms, for 1 s/);
    expect(await rowOf(page, first)).toMatch(/– ?failing for 1 s: refuses connections ?left (\d+ s ago|just now)/);
    host.change([second, first]);
    await untilRow(page, first, /reachable/);
    expect(await page.getByRole('row').filter({ hasText: first }).getByRole('img').getAttribute('aria-label')).toMatch(
      /^listed from \d+ s to (\d+ s ago|just now), listed since (\d+ s ago|just now)$/,
    );
  });
});

describe('while the page is open', () => {
  it('a coordinator that dies becomes unreachable, and reachable again when it is back', async () => {
    const coordinator = new PageHost();
    await coordinator.start();
    const endpoint = coordinator.url.replace('http:', 'tcp:').replace(/\/$/, '');
    host.list = [endpoint];
    await host.start();
    const page = await browser.open(host.url);
    await untilRow(page, endpoint, /\breachable/);
    expect(await summaryOf(page)).toContain('Reachable from here 1 of 1');
    await coordinator.stop();
    await untilRow(page, endpoint, /not reachable/);
    expect(await summaryOf(page)).toContain('Reachable from here 0 of 1');
    await coordinator.start();
    await untilRow(page, endpoint, /[0-9] reachable/);
    await coordinator.stop();
  });

  it('a list that is no longer confirmed is stale, then live again', async () => {
    host.list = [await servers.plain()];
    await host.start();
    const page = await browser.open(host.url);
    host.state = 'stale';
    host.ageMs = 42_000;
    await until('stale', async () => (await summaryOf(page)).includes('List stale confirmed 42 s ago'));
    const verdict = page.locator('#verdict');
    expect(await verdict.innerText()).toContain('The list is 42 s old: its source does not answer.');
    host.state = 'live';
    await until('live', async () => (await summaryOf(page)).includes('List live'));
    expect(await verdict.innerText()).toBe('The only coordinator can be reached from here.');
  });

  it('the page says when it has lost the server, keeps what it has, and goes on when the server is back', async () => {
    const endpoint = await servers.plain();
    host.list = [endpoint];
    await host.start();
    const page = await browser.open(host.url);
    const banner = page.locator('#connection');
    expect(await banner.innerText()).toBe('');
    await host.stop();
    await until('the banner', async () => (await banner.innerText()) !== '');
    expect(await banner.innerText()).toMatch(
      /^No response from this server since .+; the data below may be out of date\.$/,
    );
    expect(await rowOf(page, endpoint)).toContain('reachable');
    await host.start();
    await until('no banner', async () => (await banner.innerText()) === '');
  });

  it.each([
    [401, 'text/html', 'Status 401 from this server since'],
    [200, 'text/html', 'Another page from this server since'],
  ])('the page says so when the server answers with something else: %d', async (status, contentType, words) => {
    await host.start();
    const page = await browser.open(host.url);
    await page.route(host.url, (route) => route.fulfill({ status, contentType, body: '<p>Sign in' }));
    const banner = page.locator('#connection');
    await until('the banner', async () => (await banner.innerText()).includes(words));
  });

  it('the page asks nobody while its tab is hidden', async () => {
    let tries = 0;
    const endpoint = await servers.plain((req, res) => {
      tries += 1;
      servers.answer(req, res);
    });
    host.list = [endpoint];
    await host.start();
    // Not through playwright, to which every tab is a visible one.
    const tabs = await browser.openWithTabs(host.url);
    await until('a refresh', () => host.visits >= 2 && tries >= 1);
    await tabs.openAnother();
    // What was under way comes to its end.
    await pause(3000);
    const before = [host.visits, tries];
    await pause(12_000);
    expect([host.visits, tries]).toEqual(before);
    await tabs.backToFirst();
    await until('another refresh', () => host.visits > Number(before[0]) && tries > Number(before[1]));
  });

  it('the focus, a selection and the place stay where they are when the page refreshes', async () => {
    host.list = Array.from({ length: 60 }, (_, index) => `tcp://127.1.0.${String(index)}:1`);
    await host.start();
    const page = await browser.open(host.url);
    await page.evaluate(
      `scrollTo(0, 900); getSelection().selectAllChildren(document.querySelectorAll('tbody th code')[20])`,
    );
    const visits = host.visits;
    host.list = [...host.list.slice(1), 'tcp://127.2.0.1:1'];
    await until('two refreshes', () => host.visits >= visits + 2);
    await until('the new row', async () => (await page.getByText('tcp://127.2.0.1:1').count()) === 1);
    expect(await page.evaluate('[getSelection().toString(), scrollY > 500]')).toEqual(['tcp://127.1.0.20:1', true]);
    expect(await page.locator('tbody').first().locator('tr').count()).toBe(61);
  });
});

it('hostile text in every field that the page shows is text', async () => {
  const evil = `<img src=x onerror="alert(1)"><script>alert(2)</script>'`;
  host.title = evil;
  host.showSources = true;
  host.list = [evil];
  host.own = [`unix:///${evil.replaceAll(/\s/g, '')}`, evil];
  host.state = 'stale';
  host.lastError = evil;
  host.health = [
    { endpoint: `tcp://${evil}`, state: 'down', ageMs: 1, reason: evil },
    { endpoint: `up://${evil}`, state: 'up', ageMs: 1, reason: evil },
  ];
  await host.start();
  host.change([`tcp://b${evil}`]);
  host.change([evil]);
  const page = await browser.open(host.url);
  await until('two refreshes', () => host.visits >= 3);
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  expect(await page.evaluate(`document.querySelectorAll('img').length`)).toBe(0);
  expect(await page.title()).toBe(evil);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(evil);
  expect(await rowOf(page, `tcp://${evil}`)).toContain(`failing for 0 s: ${evil}`);
});

it('without JavaScript the tables are there, and no column that only a script could fill', async () => {
  const endpoint = await servers.plain();
  host.list = [endpoint];
  await host.start();
  const page = await browser.open(host.url, { javaScriptEnabled: false });
  expect(await rowOf(page, endpoint)).toMatch(/^tcp:\S+ (–|over \d+ s) ?$/);
  const note = page.locator('noscript');
  expect(await note.innerHTML()).toContain('Without JavaScript, this page does not refresh itself');
  expect((await note.boundingBox())?.height).toBeGreaterThan(20);
  expect(await page.getByText('not tried yet').first().isVisible()).toBe(false);
  expect(await page.getByText('Reachable from here').isVisible()).toBe(false);
});

it('a page with TLS does not try endpoints without, and says why; loopback is no mixed content', async () => {
  await host.stop();
  host = new PageHost(await makeCertificate());
  const endpoint = await servers.plain();
  host.list = ['tcp://192.0.2.200:8529', endpoint];
  await host.start();
  const page = await browser.open(host.url, { ignoreHTTPSErrors: true });
  await untilRow(page, 'tcp://192.0.2.200:8529', /not tried: this page has TLS, the endpoint has none/);
  await untilRow(page, endpoint, /\breachable/);
  expect(await summaryOf(page)).toContain('Reachable from here 1 of 2');
});

it('loads nothing from elsewhere but asks the endpoints, and keeps its own policy', async () => {
  const endpoint = await servers.plain();
  host.list = [endpoint];
  await host.start();
  const page = await browser.open('about:blank');
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(request.url()));
  await page.goto(host.url);
  await untilRow(page, endpoint, /reachable/);
  await until('a refresh', () => host.visits >= 2);
  expect([...asked].filter((url) => url !== `${host.url}favicon.ico`).sort()).toEqual(
    [
      host.url,
      `${host.url}listing-page.css`,
      `${host.url}listing-page.js`,
      `${endpoint.replace('tcp:', 'http:')}/_api/cluster/endpoints`,
      'http://127.0.0.1:8529/_api/endpoint',
    ].sort(),
  );
});
