/** The desk's statistics in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPageView } from '../support/add-page-view.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addArticle, addPerson, react } from '../support/api/readership.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { type Person, registerPerson, signIn } from '../support/browser/sign-in.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;
const DAY_MS = 24 * 60 * 60_000;

let api: TestApi;
let author: Person;
let articleId: string;
before(async () => {
  if (skip) return;
  api = await startTestApi();
  author = await registerPerson(api, 'read');
  const { id: authorId } = await api.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', author.username)
    .executeTakeFirstOrThrow();
  const titles = ['Much read', 'Unbreakable'.repeat(27), 'كيف تنتظر الطوابير', '🚀'.repeat(60), ''];
  for (const [n, title] of titles.entries()) {
    const { id } = await addArticle(api.db, authorId, { title });
    if (n === 0) articleId = id;
    for (let days = 0; days < 40; days += n + 1) {
      const now = new Date(Date.now() - days * DAY_MS);
      const host = ['direct', 'news.example', `${'long'.repeat(15)}.${'name'.repeat(15)}.example`][days % 3] ?? '';
      await addPageView(api.db, { articleId: id, views: days + 1, readingSeconds: 90 * (days + 1), now, host });
    }
    await react(api.db, id, await addPerson(api.db), new Date(Date.now() - n * DAY_MS));
  }
});
after(() => api?.close());

test('statistics pass all page checks with much, little and no data, in total and for one article', { skip }, () =>
  browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await signIn(page, author, '/desk/statistics');
    await checkPage(page, 'statistics');
    await page.goto(`/desk/statistics/${articleId}?range=12m`);
    await page.getByText('Show data').first().click();
    await checkPage(page, 'statistics-of-an-article');
    await page.context().clearCookies();
    await signIn(page, await registerPerson(api, 'unread'), '/desk/statistics');
    await checkPage(page, 'statistics-empty');
  }),
);

test('a plot shows the value of the day under the pointer or chosen by arrow keys', { skip }, () =>
  browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await signIn(page, author, `/desk/statistics/${articleId}?range=7d`);
    const plot = page.getByRole('slider', { name: 'Views' });
    const tip = page.locator('.metric').first().locator('.plot-tip');
    await plot.focus();
    assert.match((await tip.textContent()) ?? '', /: 1$/, 'today');
    for (const [key, value] of [
      ['ArrowLeft', 2],
      ['ArrowLeft', 3],
      ['ArrowRight', 2],
      ['Home', 7],
      ['ArrowLeft', 7],
      ['End', 1],
    ] as const) {
      await page.keyboard.press(key);
      assert.match((await plot.getAttribute('aria-valuetext')) ?? '', new RegExp(`: ${value}$`), key);
    }
    await page.keyboard.press('Escape');
    assert.ok(await tip.isHidden());
    const { width = 0 } = (await plot.boundingBox()) ?? {};
    await plot.hover({ position: { x: width * (2.5 / 7), y: 20 } });
    assert.match((await tip.textContent()) ?? '', /: 5$/);
    const [inner, outer] = [await tip.boundingBox(), await page.locator('.metric').first().boundingBox()];
    assert.ok(inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width);
  }),
);
