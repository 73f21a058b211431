import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { useListedServers } from '../../support/check/listed-servers.js';
import { PageHost } from '../../support/page/page-host.js';
import { until } from '../../support/until.js';
import { useBrowser } from './chromium.js';
import { summaryOf } from './reading.js';

const servers = useListedServers();
const browser = useBrowser();
let host: PageHost;

beforeEach(() => {
  host = new PageHost();
});
afterEach(() => host.stop());

it('1,000 endpoints are shown, tried and refreshed', async () => {
  const living = await servers.plain(servers.answer, '0.0.0.0');
  const { port } = new URL(living);
  host.list = Array.from(
    { length: 1000 },
    (_, index) => `tcp://127.3.${String(index >> 8)}.${String(index & 255)}:${port}`,
  );
  await host.start();
  const page = await browser.open(host.url);
  expect(await page.locator('tbody').first().locator('tr').count()).toBe(1000);
  await until('all tried', async () => (await summaryOf(page)).includes('1000 of 1000'), 400_000);
  const longestOfSixSeconds = `(async () => {
    const end = performance.now() + 6000;
    let longest = 0;
    for (let before; (before = performance.now()) < end; longest = Math.max(longest, performance.now() - before)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return longest;
  })()`;
  // Somebody who scrolls must not notice a refresh for long. What a busy machine holds up once, it does not each time.
  await until('refreshes that hold up nobody for 2 s', async () => {
    const { visits } = host;
    return (await page.evaluate<number>(longestOfSixSeconds)) < 2000 && host.visits > visits;
  });
});

describe('everybody can use it', () => {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

  async function findings(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
    )`);
  }

  async function expectNoFindingAtAnyWidth(page: Page): Promise<void> {
    for (const width of [320, 700, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await findings(page)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  }

  async function fill(): Promise<void> {
    const [alive, gone] = [await servers.plain(), await servers.gone()];
    host.own = ['tcp://0.0.0.0:8529', 'nonsense'];
    host.state = 'stale';
    host.lastError = 'etcd does not answer';
    host.health = [
      { endpoint: alive, state: 'up', ageMs: 60_000, ms: 1 },
      { endpoint: gone, state: 'unknown', ageMs: 60_000 },
      { endpoint: 'tcp://10.0.0.9:8529', state: 'down', ageMs: 1000, reason: 'connect ECONNREFUSED' },
    ];
    host.list = [
      alive,
      gone,
      'ssl://a-rather-long-name-of-a-coordinator.in-some-department.example.internal:8529',
      'bad',
    ];
    await host.start();
    const listed = host.list.filter((text) => text !== 'bad');
    host.emit('change', [...listed, 'tcp://10.0.0.7:8529']);
    host.emit('change', listed);
  }

  it.each(['light', 'dark'] as const)(
    'axe-core finds nothing, and nothing is wider than the window: %s',
    async (colorScheme) => {
      await fill();
      const page = await browser.open(host.url, { colorScheme });
      await until('all tried', async () => (await summaryOf(page)).includes('1 of 3'));
      await expectNoFindingAtAnyWidth(page);
      await host.stop();
      await until('the banner', async () => (await page.locator('#connection').innerText()) !== '');
      await expectNoFindingAtAnyWidth(page);
    },
  );

  it('axe-core finds nothing in a page without a list, without JavaScript for those who see it', async () => {
    host.list = [];
    host.own = [];
    await host.start();
    const page = await browser.open(host.url);
    expect(await findings(page)).toEqual([]);
  });

  it('a screen reader hears tables with headings, rows and cells also on a narrow screen', async () => {
    await fill();
    const page = await browser.open(host.url, { viewport: { width: 320, height: 700 } });
    const table = page.getByRole('table', { name: 'Coordinators' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Endpoint',
      'From here',
      'Health',
      'Listed for',
      'Last 60 s',
      'Copy',
    ]);
    expect(await table.getByRole('rowheader').count()).toBe(5);
    expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(5);
  });

  it('a keyboard is enough, and shows where it is: to refresh, pause, filter, follow the links, and copy', async () => {
    host.list = Array.from({ length: 60 }, (_, index) => `tcp://127.1.0.${String(index)}:8529`);
    host.own = [];
    host.health = [{ endpoint: 'tcp://127.1.0.59:8529', state: 'up', ageMs: 1000 }];
    await host.start();
    const page = await browser.open(host.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    const rows = page.locator('tbody tr:visible');
    const focused = (): Promise<string> =>
      page.evaluate(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        const { innerText, type, pathname } = document.activeElement;
        return [innerText || type, pathname ?? '', outlineStyle, parseFloat(outlineWidth) >= 2].join(' ').trim();
      })()`);
    const next = async (name: string): Promise<void> => {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(`${name} solid true`);
    };

    await next('Refresh now ');
    const { visits } = host;
    await page.keyboard.press('Enter');
    await until('a refresh', () => host.visits > visits);
    await next('Pause ');
    await page.keyboard.press('Space');
    expect(await page.getByRole('button', { name: 'Pause', pressed: true }).count()).toBe(1);
    expect(await page.locator('#refreshed').innerText()).toContain('Paused.');
    await next('GET /_api/cluster/endpoints /_api/cluster/endpoints');
    await next('search ');
    await page.keyboard.type('127.1.0.5');
    expect(await rows.count()).toBe(11);
    expect(await page.getByText('11 of 60').count()).toBe(1);
    await next('checkbox ');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('Only problems').isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await next('Endpoint ');
    await page.keyboard.press('Enter');
    const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await until('a copy', async () => (await clipboard()) === 'tcp://127.1.0.5:8529');
    await next('check ');
    await page.keyboard.press('Enter');
    const command = 'npx express-endpoint-listing check tcp://127.1.0.5:8529';
    await until('a copy', async () => (await clipboard()) === command);
    expect(await page.locator('#said').innerText()).toBe(`Copied: ${command}`);
  });

  it('a page without a clipboard, as those without TLS are, copies nevertheless', async () => {
    host.list = ['tcp://127.1.0.1:8529'];
    await host.start();
    const page = await browser.open(host.url);
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.addEventListener('copy', () => (document.title = getSelection().toString() || document.activeElement.value))`);
    await page.getByRole('button', { name: 'Endpoint' }).first().click();
    await until('a copy', async () => (await page.title()) === 'tcp://127.1.0.1:8529');
    expect(
      await page.getByRole('button', { name: 'Endpoint' }).first().evaluate('document.activeElement.innerText'),
    ).toBe('Endpoint');
  });

  it('problems come first, also those that only this browser has, and are found alone', async () => {
    const [alive, gone] = [await servers.plain(), await servers.gone()];
    const blocked = 'tcp://127.0.0.1:6000';
    host.list = [
      alive,
      ...Array.from({ length: 20 }, (_, index) => `tcp://127.1.0.${String(index)}:6000`),
      gone,
      blocked,
    ];
    await host.start();
    const page = await browser.open(host.url);
    await until('the first row', async () => (await page.locator('tbody th').first().innerText()) === gone);
    expect(await page.getByText('not tried: browsers block port 6000').count()).toBe(21);
    await page.getByLabel('Only problems').check();
    expect(await page.locator('section').first().locator('tbody tr:visible').count()).toBe(1);
    expect(await page.locator('#verdict').innerText()).toContain(
      `1 of 23 coordinators cannot be reached from here: ${gone}.`,
    );
  });
});
