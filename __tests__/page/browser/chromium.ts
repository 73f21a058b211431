import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser as Chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { end } from '../../support/process/child.js';
import { until } from '../../support/until.js';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium, with an empty profile for each test; opens pages and closes them behind the test. */
export class Browser {
  /** What the page violated of its own policy, and what its script threw. */
  readonly faults: string[] = [];
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #chromium: Promise<Chromium> | undefined;

  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    // Started once: it takes longer to get going than a page does.
    this.#chromium ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
    const context = await (await this.#chromium).newContext({ viewport: { width: 1280, height: 900 }, ...options });
    this.#cleanups.push(() => context.close());
    const page = await context.newPage();
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('dialog', (dialog) => {
      this.faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      // What an endpoint does not answer is no fault of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.faults.push(message.text());
      }
    });
    await page.goto(url);
    return page;
  }

  /** A browser whose tabs hide each other. */
  async openWithTabs(url: string): Promise<{ openAnother(): Promise<void>; backToFirst(): Promise<void> }> {
    const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
    const args = [...ARGUMENTS, '--remote-debugging-port=0', `--user-data-dir=${folder}`, url];
    const child = spawn('/usr/bin/chromium', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#cleanups.push(async () => {
      await end(child, 'SIGTERM');
      // Its helper processes end, and write, a little later.
      await until('the profile is removed', () => isRemoved(folder));
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const address = /DevTools listening on ws:\/\/([^/]+)/;
    await until('the browser', () => address.test(said));
    const [, tools = ''] = address.exec(said) ?? [];
    const tabs = (await (await fetch(`http://${tools}/json/list`)).json()) as { id: string; url: string }[];
    const first = tabs.find((tab) => tab.url === url);
    return {
      openAnother: async () => {
        await fetch(`http://${tools}/json/new?about:blank`, { method: 'PUT' });
      },
      backToFirst: async () => {
        await fetch(`http://${tools}/json/activate/${String(first?.id)}`);
      },
    };
  }

  /** Closes what a test has opened. */
  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0)) await cleanup();
  }

  async end(): Promise<void> {
    await (await this.#chromium)?.close();
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** A browser for the tests of a file, each of which fails if the page has a fault. */
export function useBrowser(): Browser {
  const browser = new Browser();
  afterEach(async () => {
    await browser.close();
    expect(browser.faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.end());
  return browser;
}
