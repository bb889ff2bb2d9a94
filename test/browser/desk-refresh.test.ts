/** A desk page stays usable during a refresh, despite errors and changes in other tabs. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addNotification } from '../../store/notifications/add.ts';
import { createDeveloperToken } from '../../store/tokens/developer-tokens.ts';
import { addConnection, addDelivery, unknown } from '../api/deliveries/support/rows.ts';
import { addPageView } from '../support/add-page-view.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../support/api/api.ts';
import { visitDesk } from '../support/api/desk.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;
const RETRY_DELAY_MS = 3_000;

let api: TestApi;
before(async () => {
  if (!skip) api = await startTestApi({ temporal: '127.0.0.1:1' });
});
after(() => api?.close());

async function withDesk(
  use: (page: Page, author: TestAuthor) => Promise<void>,
  { baseURL = api.baseUrl, mayFail = [] }: { baseURL?: string; mayFail?: RegExp[] } = {},
): Promise<void> {
  const author = await api.createAuthor(`refresh-${Math.random().toString(36).slice(2, 10)}`);
  await browser.withPage({ baseURL, mayFail }, async (page) => {
    await signIn(page, author);
    await use(page, author);
  });
}

async function signIn(page: Page, { id }: TestAuthor): Promise<void> {
  const value = await api.sessions.issue('courant:cookie', id);
  await page.context().addCookies([{ name: 'courant_session', value, url: api.baseUrl }]);
}

/** Resolves after the refresh that follows the opening of the stream. */
async function open(page: Page, path: string): Promise<void> {
  const refreshed = page.waitForEvent('requestfinished', (request) => request.resourceType() === 'fetch');
  await page.goto(path);
  await refreshed;
}

async function publish(author: TestAuthor, title: string): Promise<string> {
  const { body } = await api.publish({ content: markdown({ title }) }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

function view(articleId: string, views: number): Promise<unknown> {
  return addPageView(api.db, { articleId, views, readingSeconds: 5, now: new Date() });
}

let count = 0;

function notify({ id: userId }: TestAuthor, postTitle: string): Promise<unknown> {
  const payload = { postTitle, platform: 'BLOGSITE_A', sharedUrl: 'https://there.example/1' } as const;
  const notification = { userId, type: 'CROSS_POST_SUCCESS', payload, now: new Date() } as const;
  return api.db
    .transaction()
    .execute((tx) => addNotification(tx, { ...notification, dedupeKey: `refresh-${count++}` }));
}

const pause = (page: Page, ms: number) => page.evaluate((time) => new Promise((done) => setTimeout(done, time)), ms);

test('a load without a response does not prevent later refreshes', { skip }, () =>
  withDesk(async (page, author) => {
    await open(page, '/desk/notifications');
    let isHeld = false;
    await page.route('**/desk/notifications', async (route) => {
      if (isHeld) return route.continue();
      isHeld = true;
    });
    await notify(author, 'Never answered');
    await page.waitForRequest('**/desk/notifications');
    await notify(author, 'Answered later');
    await page.getByText('Answered later').waitFor({ timeout: 30_000 });
  }),
);

test('while loads fail, many changes cause one retry at a time, and the last state is shown afterwards', { skip }, () =>
  withDesk(
    async (page, author) => {
      await open(page, '/desk/notifications');
      let isFailing = true;
      let requests = 0;
      await page.route('**/desk/notifications', (route) => {
        requests += 1;
        return isFailing ? route.fulfill({ status: 503, body: 'Overloaded' }) : route.continue();
      });
      for (let n = 0; n < 20; n++) {
        await notify(author, `During the failure ${n}`);
        await pause(page, 50);
      }
      await pause(page, RETRY_DELAY_MS);
      requests = 0;
      await pause(page, 2 * RETRY_DELAY_MS);
      assert.ok(requests <= 3, `${requests} requests`);
      isFailing = false;
      await page.getByText('During the failure 19').waitFor();
    },
    { mayFail: [/503/] },
  ),
);

test('an interrupted load is repeated', { skip }, async (t) => {
  let isCutting = false;
  const proxy = createServer(async (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    const response = await fetch(api.url + url, {
      headers: { cookie: headers.cookie ?? '', 'sec-fetch-site': 'same-origin' },
    });
    if (url === '/desk/stream') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const chunk of response.body ?? []) outgoing.write(chunk);
      return;
    }
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? 'text/plain';
    outgoing.writeHead(response.status, { 'content-type': type, 'content-length': body.length });
    if (!isCutting || headers['sec-fetch-dest'] !== 'empty') return outgoing.end(body);
    isCutting = false;
    outgoing.write(body.subarray(0, 100), () => outgoing.destroy());
  });
  const baseURL = await listen(proxy);
  t.after(() => close(proxy));
  await withDesk(
    async (page, author) => {
      await open(page, '/desk/notifications');
      isCutting = true;
      await notify(author, 'Cut off');
      await page.getByText('Cut off').waitFor({ timeout: 15_000 });
      assert.equal(isCutting, false);
    },
    { baseURL, mayFail: [/CONTENT_LENGTH_MISMATCH|ERR_INCOMPLETE|Failed to load/] },
  );
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

test('the name in the header is current, even after another author signs in in another tab', { skip }, () =>
  withDesk(async (page, author) => {
    const other = await api.createAuthor('somebody-else');
    await publish(other, 'By somebody else');
    await open(page, '/desk');
    const who = page.locator('.desk-who');
    await api.db.updateTable('users').set({ name: 'Renamed' }).where('id', '=', author.id).execute();
    await who.filter({ hasText: 'Renamed' }).waitFor();
    await signIn(page, other);
    await api.db.updateTable('sessions').set({ endedAt: new Date() }).where('userId', '=', author.id).execute();
    await page.getByText('By somebody else').waitFor();
    assert.match(await who.innerText(), /somebody-else/);
  }),
);

test('an open confirmation stays with its token while another token is created', { skip }, () =>
  withDesk(async (page, author) => {
    const now = new Date();
    await open(page, '/desk/settings/tokens');
    await page.locator('.settings-list summary', { hasText: 'Revoke' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke “test”' });
    await revoke.focus();
    await createDeveloperToken(api.db, { userId: author.id, name: 'brand new', now });
    await page.getByRole('heading', { name: 'brand new' }).waitFor();
    assert.equal(await revoke.isVisible(), true);
    assert.equal(await page.getByRole('button', { name: 'Revoke “brand new”' }).isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Revoke “test”');
  }),
);

test('every list item with controls has an id, so that a refresh does not turn it into another one', { skip }, () =>
  withDesk(async (page, author) => {
    const id = await publish(author, 'Listed');
    await addConnection(api.db, author.id, 'blogsite_a');
    await addDelivery(api.db, id, 'blogsite_a', unknown('No answer.'));
    await view(id, 1);
    await notify(author, 'Listed');
    for (const path of [
      '',
      `/articles/${id}`,
      '/calendar',
      '/notifications',
      '/statistics',
      '/settings/tokens',
      '/settings/sessions',
    ]) {
      await page.goto(`/desk${path}`);
      const unnamed = await page
        .locator('main[data-live]')
        .evaluate((main) =>
          [...main.querySelectorAll('li, tbody tr')]
            .filter((item) => item.id === '' && item.querySelector('form, button, details, th a'))
            .map((item) => item.outerHTML.slice(0, 200)),
        );
      assert.deepEqual(unnamed, [], path);
    }
  }),
);

test('focus follows an article whose rank changes, and the scroll position is preserved', { skip }, () =>
  withDesk(async (page, author) => {
    const [first, second, third] = [
      await publish(author, 'First'),
      await publish(author, 'Second'),
      await publish(author, 'Third'),
    ];
    await view(first, 9);
    await view(second, 6);
    await view(third, 3);
    await open(page, '/desk/statistics');
    const link = page.locator('.ranking a', { hasText: 'Second' });
    await link.focus();
    const scrolled = await page.evaluate(() => scrollY);
    await view(third, 50);
    await page.locator('.ranking tbody tr:first-child', { hasText: 'Third' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Second');
    await view(second, 90);
    await page.locator('.ranking tbody tr:first-child', { hasText: 'Second' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Second');
    assert.equal(await page.evaluate(() => scrollY), scrolled);
  }),
);

test('a page does not scroll back to a focused button that a refresh removes', { skip }, () =>
  withDesk(async (page, author) => {
    for (let n = 0; n < 30; n++) await publish(author, `Row ${n}`);
    const id = await publish(author, 'The newest');
    await page.setViewportSize({ width: 1000, height: 600 });
    await open(page, '/desk');
    const row = page.locator(`#a-${id}`);
    await row.locator('summary').click();
    await row.getByRole('button', { name: /unpublish/i }).focus();
    await page.evaluate(() => scrollTo(0, 1_000));
    const desk = await visitDesk(api, author.id);
    await desk.post(`/desk/articles/${id}/unpublish`);
    await row.getByText('draft').first().waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => scrollY), 1_000);
  }),
);

test('the numbers of a plot stay open, and a plot stays focused, while page views are counted', { skip }, () =>
  withDesk(async (page, author) => {
    const id = await publish(author, 'Watched');
    await view(id, 5);
    await open(page, '/desk/statistics');
    const card = page.locator('.metric').first();
    await card.locator('summary').click();
    await card.getByRole('slider').focus();
    await view(id, 37);
    await card.locator('.metric-total', { hasText: '42' }).waitFor();
    assert.equal(await card.locator('details').getAttribute('open'), '');
    assert.equal(await card.getByRole('slider').evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press('End');
    assert.match((await card.locator('.plot-tip').textContent()) ?? '', /: 42$/);
  }),
);
