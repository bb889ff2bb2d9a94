/** The desk's articles in a real browser: the grid updates without a reload. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { markdown } from '../support/api/api.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';

const browser = openTestBrowser();
const { skip } = browser;

let world: DeliveryWorld;
before(async () => {
  if (!skip) world = await startDeliveryWorld();
});
after(() => world?.close());

/** Opens a signed-in page. A variable in the page detects a reload. */
async function withDesk(
  options: { javaScriptEnabled?: boolean; timezoneId?: string },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const { api } = world;
  const value = await api.sessions.issue('courant:cookie', api.author.id);
  const cookie = {
    name: 'courant_session',
    value,
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
  };
  const storageState = { cookies: [{ ...cookie, sameSite: 'Lax' as const }], origins: [] };
  await browser.withPage({ baseURL: api.baseUrl, storageState, ...options }, use);
}

async function publish(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.api.publish({ content: markdown({ title, ...more }) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

test('the desk shows the first delivery, a failed one with its reason, and a retry, without a reload', { skip }, () =>
  withDesk({}, async (page) => {
    await page.goto('/desk');
    await checkPage(page, 'desk-empty');
    await world.connect(world.api.author, 'blogsite_a');
    await page.goto('/desk');
    await page.evaluate('window.isSamePage = true');
    const id = await publish('Watched');
    const row = page.locator(`#a-${id}`);
    await row.locator('.state.good', { hasText: 'delivered' }).waitFor();
    await page.locator('[data-message]', { hasText: 'Watched' }).waitFor({ state: 'attached' });
    assert.match((await row.getByRole('link', { name: 'Delivered at DEV' }).getAttribute('href')) ?? '', /^http/);

    await world.faults([
      { platform: 'blogsite_a', action: 'create', times: 1, status: 403, body: { error: 'Not today', status: 403 } },
    ]);
    const broken = await publish('Broken there');
    const brokenRow = page.locator(`#a-${broken}`);
    await brokenRow.locator('.state.bad', { hasText: 'failed' }).waitFor();
    await brokenRow.getByText('Not today').waitFor();
    await world.faults([]);
    const retry = brokenRow.getByRole('button', { name: 'Retry' });
    await retry.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Retrying.').waitFor();
    await brokenRow.locator('.state.good', { hasText: 'delivered' }).waitFor();
    const isFocusInRow = await brokenRow.evaluate((element) => element.contains(document.activeElement));
    assert.ok(isFocusInRow, 'the focus stays in the row');
    assert.equal(await page.evaluate('window.isSamePage'), true, 'it was not loaded again');
    assert.equal((await world.log('Broken there')).length, 1);
    await checkPage(page, 'desk-articles');
  }),
);

test('the page of an article shows its delivery history and updates itself', { skip }, () =>
  withDesk({}, async (page) => {
    await world.connect(world.api.author, 'blogsite_a');
    await world.faults([
      { platform: 'blogsite_a', action: 'create', times: 1, status: 403, body: { error: 'Not today', status: 403 } },
    ]);
    const id = await publish('Told of');
    await world.reaches(id, 'blogsite_a', 'failed');
    await world.faults([]);
    await page.goto(`/desk/articles/${id}`);
    await page.locator('.timeline').getByText('Not today').waitFor();
    await checkPage(page, 'desk-article');
    await page.evaluate('window.isSamePage = true');
    await page.getByRole('button', { name: 'Retry at DEV' }).click();
    await page.locator('.deliveries .state.good', { hasText: 'delivered' }).waitFor();
    await page.locator('.timeline .state.good').waitFor();
    assert.equal(await page.evaluate('window.isSamePage'), true);
    await page.goto(`/desk/articles/${id}/delete`);
    await checkPage(page, 'desk-delete');
  }),
);

test('without script an article is scheduled in its zone, moved, cancelled and published', { skip }, () =>
  withDesk({ javaScriptEnabled: false }, async (page) => {
    const id = await publish('By the hour', { published: false });
    await page.goto('/desk?state=drafts');
    await page.locator(`#a-${id} summary`).click();
    await page.locator(`#a-${id}`).getByRole('link', { name: 'Schedule' }).click();
    const schedule = async (at: string, button: string) => {
      await page.getByLabel('Public from').fill(at);
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      await page.getByRole('button', { name: button }).click();
    };
    await schedule('2090-07-01T09:00', 'Schedule');
    await page.getByText('It becomes public on 1 Jul 2090, 09:00 Europe/Berlin.').waitFor();
    await schedule('2090-08-01T10:00', 'Reschedule');
    await page.locator('.article-state', { hasText: '1 Aug 2090, 10:00 Europe/Berlin' }).waitFor();
    await page.getByRole('button', { name: 'Cancel the schedule' }).click();
    await page.getByText('The article is now a draft.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('Article published.').waitFor();
    await eventually('the article to be public', async () => {
      const row = await world.api.db.selectFrom('articles').select('status').where('id', '=', id).executeTakeFirst();
      return row?.status === 'PUBLISHED';
    });
  }),
);

test('times are in the browser’s zone, and a scheduled article is moved to another day by dragging', {
  skip,
}, async () => {
  const month = `${new Date().getUTCFullYear() + 1}-03`;
  const id = await publish('Dragged along', { scheduled_at: `${month}-10T20:30:00Z` });
  const findTime = async () =>
    (
      await world.api.db.selectFrom('articles').select('scheduledAt').where('id', '=', id).executeTakeFirstOrThrow()
    ).scheduledAt?.toISOString();
  await withDesk({ timezoneId: 'Asia/Tokyo' }, async (page) => {
    await page.goto(`/desk/articles/${id}`);
    await page
      .getByText(`11 Mar ${month.slice(0, 4)}, 05:30 GMT+9`)
      .first()
      .waitFor();
    await page.goto(`/desk/calendar?month=${month}`);
    await page.getByText('Times in Asia/Tokyo').waitFor();
    const entry = page.locator('.calendar li', { hasText: 'Dragged along' });
    assert.equal(await page.locator(`td[data-date="${month}-11"] li`).count(), 1, 'on the day that it is there');
    const message = page.locator('[data-message]', { hasText: `moved to ${month}-19, 05:30` });
    // A busy browser occasionally treats the movement as a click.
    await eventually(
      'the article to be moved',
      async () => {
        await entry.dragTo(page.locator(`td[data-date="${month}-19"]`));
        return message.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      },
      { withinMs: 60_000 },
    );
    await page.locator(`td[data-date="${month}-19"] li`, { hasText: 'Dragged along' }).waitFor();
    assert.equal(await findTime(), `${month}-18T20:30:00.000Z`);
    await page.reload();
    await checkPage(page, 'calendar-scheduled');
  });
});

test('typed filters remain when a new article appears on the page', { skip }, () =>
  withDesk({}, async (page) => {
    await publish('Here before');
    await page.goto('/desk');
    await page.getByRole('searchbox', { name: 'Search' }).fill('half a word');
    await page.getByRole('button', { name: 'Show' }).focus();
    const id = await publish('Came meanwhile');
    await page.locator(`#a-${id}`).waitFor();
    assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'half a word');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Show');
  }),
);
