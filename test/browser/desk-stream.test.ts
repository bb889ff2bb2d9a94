/**
 * The desk's stream in a real browser: a page catches up after a gap, and many tabs share the
 * connections.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addNotification } from '../../store/notifications/add.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;

let api: TestApi;
before(async () => {
  if (!skip) api = await startTestApi({ temporal: '127.0.0.1:1', env: { STREAMS_PER_USER: '2' } });
});
after(() => api?.close());

async function withDesk(
  use: (page: Page) => Promise<void>,
  { from = api, ...more }: { from?: TestApi; mayFail?: RegExp[] } = {},
): Promise<void> {
  const { id } = await from.createAuthor(`streams-${Math.random().toString(36).slice(2, 10)}`);
  const value = await from.sessions.issue('courant:cookie', id);
  await browser.withPage({ baseURL: from.baseUrl, ...more }, async (page) => {
    await page.context().addCookies([{ name: 'courant_session', value, url: from.baseUrl }]);
    userId = id;
    await use(page);
  });
}

let userId: string;
let count = 0;

function addNotifications(...titles: string[]): Promise<unknown> {
  return api.db.transaction().execute(async (tx) => {
    for (const title of titles) await addNotification(tx, describe(title));
  });
}

function describe(postTitle: string) {
  const payload = { postTitle, platform: 'BLOGSITE_A', sharedUrl: 'https://there.example/1' } as const;
  return { userId, type: 'CROSS_POST_SUCCESS', payload, dedupeKey: `test-${count++}`, now: new Date() } as const;
}

/** Sets the visibility that a browser reports for a background or foreground tab. */
function show(page: Page, state: 'hidden' | 'visible') {
  return page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'));`,
  );
}

/** Runs before the scripts of the page, and exposes its streams as `window.streams`. */
const KEEP_STREAMS =
  'window.streams = []; window.EventSource = class extends EventSource { constructor(url) { super(url); window.streams.push(this); } };';

const unread = (page: Page, number: number) =>
  page.locator('[data-unread]', { hasText: new RegExp(`^${number}$`) }).waitFor();

test('changes between the load of a page and the opening of its stream are not missed', { skip }, () =>
  withDesk(async (page) => {
    let isHeld = false;
    await page.route('**/desk/stream', async (route) => {
      if (!isHeld) await addNotifications('In between');
      isHeld = true;
      await route.continue();
    });
    await page.goto('/desk/notifications');
    await unread(page, 1);
    await page.locator('#notifications').getByText('In between').waitFor();
  }),
);

test('a background tab has no stream and is current when it becomes visible', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/notifications');
    await addNotifications('While it was looked at');
    await unread(page, 1);
    // A browser has six connections per host: with a stream per tab, the seventh would never load.
    const tabs = [page];
    for (let n = 0; n < 6; n++) {
      await show(tabs.at(-1) ?? page, 'hidden');
      const tab = await page.context().newPage();
      await tab.goto('/desk', { timeout: 30_000 });
      tabs.push(tab);
    }
    await addNotifications('Behind');
    await show(page, 'visible');
    await unread(page, 2);
    await page.locator('#notifications').getByText('Behind').waitFor();
    await addNotifications('In front again');
    await unread(page, 3);
    // The count and the list change together.
    assert.equal(await page.locator('.notifications > li').count(), 3);
  }),
);

test('with more windows than streams, one waits until it is focused, and the others keep theirs', { skip }, () =>
  withDesk(async (page) => {
    let streams = 0;
    page.context().on('request', (request) => {
      if (request.url().endsWith('/desk/stream')) streams += 1;
    });
    await page.clock.install();
    await page.addInitScript(KEEP_STREAMS);
    await page.goto('/desk/notifications');
    const others = [await page.context().newPage(), await page.context().newPage()];
    for (const other of others) {
      const streaming = other.waitForResponse(/desk\/stream/);
      await other.goto('/desk/notifications');
      await streaming;
    }
    await page.waitForFunction('window.streams[0].readyState === EventSource.CLOSED');
    // Longer than the delay before a page reopens a stream that the server refused.
    await page.clock.runFor(10_000);
    await addNotifications('While it waited');
    for (const other of others) await unread(other, 1);
    assert.equal(streams, 3);
    assert.equal(await page.locator('[data-unread]').textContent(), '0');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await unread(page, 1);
  }),
);

test('seven visible windows all load, and each is current once it is focused', { skip }, async (t) => {
  const roomy = await startTestApi({ temporal: '127.0.0.1:1', databaseUrl: api.databaseUrl, home: api.home });
  t.after(() => roomy.close());
  await withDesk(
    async (page) => {
      const windows = [page];
      while (windows.length < 7) windows.push(await page.context().newPage());
      for (const one of windows) {
        const streaming = one.waitForResponse(/desk\/stream/);
        await one.goto('/desk/notifications', { timeout: 15_000 });
        await streaming;
      }
      await addNotifications('In all of them');
      for (const one of windows) {
        await one.evaluate("dispatchEvent(new Event('focus'))");
        await unread(one, 1);
      }
    },
    { from: roomy },
  );
});

test('a change causes one request for the page and its count', { skip }, () =>
  withDesk(async (page) => {
    const refreshed = page.waitForEvent('requestfinished', (request) => request.resourceType() === 'fetch');
    await page.goto('/desk');
    await refreshed;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await addNotifications('One');
    await unread(page, 1);
    await addNotifications('Two');
    await unread(page, 2);
    assert.deepEqual(requests, ['GET /desk', 'GET /desk']);
  }),
);

test('fifty simultaneous changes cause few requests', { skip }, () =>
  withDesk(async (page) => {
    const streaming = page.waitForResponse(/desk\/stream/);
    await page.goto('/desk/notifications');
    await streaming;
    await addNotifications('First');
    await unread(page, 1);
    await page.locator('#notifications').getByText('First').waitFor();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/desk/notifications')) requests += 1;
    });
    await addNotifications(...Array.from({ length: 49 }, (_, n) => `At once ${n}`));
    await unread(page, 50);
    await page.getByText('At once 48').waitFor();
    assert.ok(requests <= 5, `${requests} requests`);
  }),
);

test('after the machine was asleep, the page reopens its stream and refreshes', { skip }, () =>
  withDesk(async (page) => {
    await page.clock.install();
    const streaming = page.waitForResponse(/desk\/stream/);
    await page.goto('/desk/notifications');
    await streaming;
    const anew = page.waitForResponse(/desk\/stream/);
    await page.clock.fastForward(120_000);
    await anew;
    await addNotifications('After the night');
    await unread(page, 1);
  }),
);

test(
  'after the end of its session a page keeps typed text, shows a notice with a link to sign in, and does not reload',
  { skip },
  () =>
    withDesk(
      async (page) => {
        const streaming = page.waitForResponse(/desk\/stream/);
        await page.goto('/desk/settings/profile?from=test');
        await streaming;
        await page.getByLabel('Bio').fill('Half a sentence');
        let loads = 0;
        page.on('request', (request) => {
          if (request.isNavigationRequest()) loads += 1;
        });
        await api.db.updateTable('sessions').set({ endedAt: new Date() }).where('userId', '=', userId).execute();
        const signIn = page.getByRole('alert').getByRole('link', { name: 'Sign in' });
        await signIn.waitFor();
        await page.evaluate("dispatchEvent(new Event('focus'))");
        await page.waitForResponse(/account\/viewer/);
        assert.equal(await signIn.count(), 1);
        assert.equal(await page.getByLabel('Bio').inputValue(), 'Half a sentence');
        assert.equal(loads, 0);
        // Signed in again in another tab.
        const value = await api.sessions.issue('courant:cookie', userId);
        await page.context().addCookies([{ name: 'courant_session', value, url: api.baseUrl }]);
        await page.evaluate("dispatchEvent(new Event('focus'))");
        await signIn.waitFor({ state: 'detached' });
        await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', userId).execute();
        await signIn.click();
        await page.waitForURL(/\/login\?next=%2Fdesk%2Fsettings%2Fprofile%3Ffrom%3Dtest$/);
      },
      { mayFail: [/401/] },
    ),
);
