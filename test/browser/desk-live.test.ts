/** An open desk page shows each commit that concerns it, even after a restart of the API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { markdown, startTestApi } from '../support/api/api.ts';
import { visitDesk } from '../support/api/desk.ts';
import { openTestBrowser } from '../support/browser.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';

const browser = openTestBrowser();
const { skip } = browser;
/**
 * Shorter than the delay of the notification about a failed delivery, so only the stream can update
 * the row.
 */
const TIMEOUT_MS = 15_000;

let world: DeliveryWorld;
before(async () => {
  if (!skip) world = await startDeliveryWorld();
});
after(() => world?.close());

/** `more` contains options for the context of the page. */
async function withDesk(use: (page: Page) => Promise<void>, more: { mayFail?: RegExp[]; timezoneId?: string } = {}) {
  const { api } = world;
  const value = await api.sessions.issue('courant:cookie', api.author.id);
  await browser.withPage({ baseURL: api.baseUrl, ...more }, async (page) => {
    await page.context().addCookies([{ name: 'courant_session', value, url: api.baseUrl }]);
    await use(page);
    assert.equal(await page.evaluate('window.isSamePage'), true, 'the page was not loaded again');
  });
}

async function open(page: Page, path: string): Promise<void> {
  const streaming = page.waitForResponse(/\/desk\/stream/).catch(() => null);
  await page.goto(path);
  await page.evaluate('window.isSamePage = true');
  await streaming;
}

async function publish(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.api.publish({ content: markdown({ title, ...more }) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

test(
  'an open desk shows a publish, and each cell’s state and reason, while one destination answers 503 and another 422',
  { skip },
  () =>
    withDesk(async (page) => {
      await world.connect(world.api.author, 'blogsite_a');
      await world.connect(world.api.author, 'blogsite_b');
      await publish('Here before', { cross_post: { blogsite_a: false, blogsite_b: false } });
      await open(page, '/desk');
      // Hashnode's 422 would be final only after its read lag of 30 s.
      await world.faults([
        { platform: 'blogsite_a', action: 'create', times: 1, status: 422, body: { error: 'Too blue' } },
        { platform: 'blogsite_b', action: 'create', times: 50, status: 503, body: { error: 'Closed for repairs' } },
      ]);
      const id = await publish('Watched');
      const row = page.locator(`#a-${id}`);
      await row.waitFor({ timeout: TIMEOUT_MS });
      for (const text of [/Retrying|Checking/, /Failed/, /Too blue/])
        await row.filter({ hasText: text }).waitFor({ timeout: TIMEOUT_MS });
      await world.faults([]);
    }),
);

test('the article page, the calendar and the settings update without a notification', { skip }, () =>
  withDesk(async (page) => {
    const month = `${new Date().getUTCFullYear() + 1}-04`;
    await open(page, `/desk/calendar?month=${month}`);
    const id = await publish('Planned ahead', { scheduled_at: `${month}-10T12:00:00Z` });
    await page.locator('.calendar li', { hasText: 'Planned ahead' }).waitFor({ timeout: TIMEOUT_MS });
    const visitor = await visitDesk(world.api, world.api.author.id);
    await open(page, `/desk/articles/${id}`);
    await page.locator('.article-state', { hasText: 'scheduled' }).waitFor();
    await visitor.post(`/desk/articles/${id}/cancel`);
    await page.locator('.article-state', { hasText: 'draft' }).waitFor({ timeout: TIMEOUT_MS });
    await open(page, '/desk/settings/connections');
    const { id: connectionId } = await world.connect(world.api.author, 'blogsite_c');
    await page.getByRole('link', { name: 'Manage Medium' }).waitFor({ timeout: TIMEOUT_MS });
    await world.api.db
      .updateTable('connections')
      .set({ status: 'unauthorised', statusReason: 'The key was withdrawn there.' })
      .where('id', '=', connectionId)
      .execute();
    await page.getByText('The key was withdrawn there.').waitFor({ timeout: TIMEOUT_MS });
    await visitor.post('/desk/settings/connections/blogsite_c/disconnect');
    await page.getByRole('link', { name: 'Connect Medium' }).waitFor({ timeout: TIMEOUT_MS });
  }),
);

for (const width of [360, 800, 1280]) {
  test(`the number of unread notifications fits on one line on its own page, ${width} pixels wide`, { skip }, () =>
    withDesk(async (page) => {
      await page.setViewportSize({ width, height: 800 });
      await open(page, '/desk/notifications');
      await page.evaluate(() => {
        const badge = document.querySelector<HTMLElement>('[data-unread]');
        if (badge) badge.textContent = '1234';
        badge?.removeAttribute('hidden');
      });
      const [link, badge] = [page.locator('.desk-nav [aria-current]'), page.locator('[data-unread]')];
      assert.ok(((await badge.boundingBox())?.height ?? 99) < 24, 'one line of digits');
      assert.ok(((await link.boundingBox())?.height ?? 99) < 48, 'beside the word');
      assert.equal(await link.evaluate((element) => element.scrollWidth <= element.clientWidth), true);
    }),
  );
}

test('a notification that is read in another tab is shown as read, and the count is updated', { skip }, () =>
  withDesk(async (page) => {
    const visitor = await visitDesk(world.api, world.api.author.id);
    await open(page, '/desk/notifications');
    await page.locator('.notifications .unread').first().waitFor();
    const newest = await page.locator('input[name="upTo"]').getAttribute('value');
    await visitor.post('/desk/notifications/read', { upTo: newest ?? '' });
    await page.getByText('All read').waitFor({ timeout: TIMEOUT_MS });
    await page.locator('[data-unread]').waitFor({ state: 'hidden' });
  }),
);

test('typed text, focus, selected rows and open menus are preserved during a refresh', { skip }, () =>
  withDesk(async (page) => {
    const first = await publish('Held first', { cross_post: {} });
    await open(page, '/desk');
    await page.locator(`#a-${first} input[type="checkbox"]`).check();
    await page.locator(`#a-${first} summary`).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('half a wo');
    const second = await publish('Held second', { cross_post: {} });
    await page.locator(`#a-${second}`).waitFor({ timeout: TIMEOUT_MS });
    await search.press('r');
    assert.equal(await search.inputValue(), 'half a wor');
    assert.equal(await page.locator(`#a-${first} input[type="checkbox"]`).isChecked(), true);
    assert.equal(await page.locator(`#a-${first} details`).getAttribute('open'), '');
    await page.locator(`#a-${first} summary`).focus();
    await world.api.db
      .updateTable('articles')
      .set({ title: 'Held under another name' })
      .where('id', '=', first)
      .execute();
    await page.locator(`#a-${first}`, { hasText: 'Held under another name' }).waitFor({ timeout: TIMEOUT_MS });
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY');
    assert.equal(await page.locator(`#a-${first} details`).getAttribute('open'), '');
  }),
);

test('after a restart of the API the page reconnects and refreshes', { skip }, async () => {
  const { databaseUrl, home, author } = world.api;
  const options = { databaseUrl, home, temporal: '127.0.0.1:1' };
  let instance = await startTestApi(options);
  const { baseUrl } = instance;
  const value = await instance.sessions.issue('courant:cookie', author.id);
  await browser.withPage({ baseURL: baseUrl, mayFail: [/ERR_|Failed to load|answer: 503/] }, async (page) => {
    await page.context().addCookies([{ name: 'courant_session', value, url: baseUrl }]);
    await open(page, '/desk');
    await instance.close();
    const id = await publish('While it was away', { cross_post: {} });
    instance = await startTestApi({ ...options, port: Number(new URL(baseUrl).port) });
    await page.locator(`#a-${id}`).waitFor();
    const later = await publish('After it was back', { cross_post: {} });
    await page.locator(`#a-${later}`).waitFor({ timeout: TIMEOUT_MS });
    assert.equal(await page.evaluate('window.isSamePage'), true);
  });
  await instance.close();
});
