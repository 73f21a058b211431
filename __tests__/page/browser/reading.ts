import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';

/** What a person reads in the row of an endpoint. */
export async function rowOf(page: Page, endpoint: string): Promise<string> {
  const text = await page.getByRole('row').filter({ hasText: endpoint }).first().innerText();
  return text.replaceAll(/\s+/g, ' ');
}

/** Waits until a person reads that in the row of an endpoint. */
export async function untilRow(page: Page, endpoint: string, pattern: RegExp): Promise<void> {
  await until(`${endpoint} is ${String(pattern)}`, async () => pattern.test(await rowOf(page, endpoint)));
}

/** What a person reads at the top. */
export async function summaryOf(page: Page): Promise<string> {
  return (await page.locator('dl').innerText()).replaceAll(/\s+/g, ' ');
}
