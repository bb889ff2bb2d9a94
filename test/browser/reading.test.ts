/** Public pages in a real browser. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createFolderMailer, listStoredMails } from '../../mail/folder-mailer.ts';
import { findWeekBefore } from '../../store/calendar/week.ts';
import { createRoundup } from '../../store/roundups/create-roundup.ts';
import { createSeries } from '../../store/series/series.ts';
import { startServer } from '../destinations/destination-harness.ts';
import { markdown, startTestApi, type TestApi } from '../support/api/api.ts';
import { comment } from '../support/api/comments.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { listFailures, openLighthouse } from '../support/browser/lighthouse.ts';
import { measureLoad, waitUntilDrawn } from '../support/browser/page-load.ts';
import { registerPerson, signIn } from '../support/browser/sign-in.ts';
import { openTestBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

const browser = openTestBrowser();
const { skip } = browser;

/** Every element of a document, with words and lines that are too long for a phone. */
const BODY = `A first paragraph with \`code\`, [a link](https://example.org/) and a footnote.[^1]

## Heading with \`code\`

${'Unbreakable'.repeat(12)}

\`\`\`ts title="src/long.ts"
export const line = '${'a line that is longer than any screen '.repeat(5)}'; // and a comment
\`\`\`

> [!WARNING]
> Mind the gap.

| left | ${'a wide column '.repeat(6)} | right |
|:-----|:------:|------:|
| 1    | 2      | 3     |

### A part of it

- [x] done
- [ ] not yet

$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$

[^1]: The footnote.
`;

/** A picture with another aspect ratio than a cover. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let api: TestApi;
const paths = { article: '', hebrew: '', series: '', roundup: '', mail: '', hostile: '', chinese: '' };
before(async () => {
  if (skip) return;
  api = await startTestApi();
  const now = new Date();
  const publish = async (frontmatter: Record<string, unknown>, body = BODY) => {
    const { body: answer } = await api.publish({ content: markdown(frontmatter, body) });
    assert.ok(answer.data, JSON.stringify(answer));
    return answer.data;
  };
  const { id: series } = await createSeries(api.db, { authorId: api.author.id, title: 'Parts', now });
  paths.series = `/series/${series}`;
  const { id, slug } = await publish({
    ...{ title: 'Read in a browser', subtitle: 'All of it', tags: ['browsers', 'reading'] },
    ...{ generate_toc: true, series_id: series },
  });
  paths.article = `/${slug}`;
  const hebrew = await publish({ title: 'מאמר בעברית', tags: ['reading'] }, 'פסקה ראשונה.\n\n## כותרת\n\nעוד.\n');
  paths.hebrew = `/${hebrew.slug}`;

  const words = 'Unbreakable'.repeat(27);
  const hostile = await publish(
    {
      ...{
        title: words,
        subtitle: words,
        tags: Array.from({ length: 8 }, (_, index) => `tag${index}${'x'.repeat(90)}`),
      },
      ...{ generate_toc: true, series_id: series },
    },
    `${Array.from({ length: 40 }, (_, index) => `## ${index} ${words}`).join('\n\n')}\n\n\`\`\`\n${'x'.repeat(20_000)}\n\`\`\`\n`,
  );
  paths.hostile = `/${hostile.slug}`;
  const chinese = await publish(
    { title: '中文'.repeat(60), tags: ['标签'], generate_toc: true },
    `## 第一\n\n${'很长的段落'.repeat(200)}\n\n## 第二\n\n更多。\n`,
  );
  paths.chinese = `/${chinese.slug}`;
  const profile = {
    name: words.slice(0, 100),
    bio: words.slice(0, 280),
    links: [`https://${'a'.repeat(60)}.example/${words}`],
  };
  const stranger = await api.createAuthor('x'.repeat(39));
  await api.db.updateTable('users').set(profile).where('id', '=', stranger.id).execute();
  await api.publish({ content: markdown({ title: 'By a long name', tags: ['reading'] }) }, { token: stranger.token });
  await comment(api.db, { slug, userId: stranger.id, body: words });

  const day = now.toISOString().slice(0, 10);
  await api.db.insertInto('articleDays').values({ articleId: id, day, views: 40 }).execute();
  const week = findWeekBefore(new Date(now.getTime() + 7 * 86_400_000));
  await createRoundup(api.db, week, now);
  paths.roundup = `/roundup/${week.week}`;

  const from = { name: 'Courant', address: 'courant@localhost' };
  const mailer = createFolderMailer(join(api.home, 'mail'), { from, now: () => now });
  const mail = {
    ...{ to: { name: 'Ada', address: 'ada@example.org' }, subject: 'Your week', messageId: '<week@courant.example>' },
    ...{
      html: '<!doctype html><html lang="en"><title>Your week</title><p>Views: 7</p>',
      text: `Views: 7\n\nhttps://courant.example/account/confirm-email?token=${'x'.repeat(120)}\n`,
      headers: {},
    },
  };
  await mailer.send(mail, { beforeLastByte: async () => undefined });
  const [storedMail] = await listStoredMails(join(api.home, 'mail'));
  paths.mail = `/dev/mails/${storedMail?.name}`;
  // Search finds an article when it is rendered. Without a marked word, axe would not check the
  // colours of marks.
  const findMark = async () => (await (await fetch(`${api.url}/search?q=paragraph`)).text()).includes('<mark>');
  await eventually('a search result with a marked word', findMark, { withinMs: 60_000, everyMs: 250 });
});
after(() => api?.close());

const pages: [name: string, path: () => string][] = [
  ['home', () => '/'],
  ['article', () => paths.article],
  ['article-followed-footnote', () => `${paths.article}#user-content-fn-1`],
  ['article-in-hebrew', () => paths.hebrew],
  ['article-hostile', () => paths.hostile],
  ['article-in-chinese', () => paths.chinese],
  ['author-hostile', () => `/authors/${'x'.repeat(39)}`],
  ['comments', () => `/articles${paths.article}/comments`],
  ['reactions', () => `/articles${paths.article}/viewer`],
  ['author', () => `/authors/${api.author.username}`],
  ['tag', () => '/tags/reading'],
  ['series', () => paths.series],
  ['roundups', () => '/roundup'],
  ['roundup', () => paths.roundup],
  ['archive', () => '/archive'],
  ['search', () => '/search?q=paragraph'],
  ['search-nothing', () => `/search?q=${'x'.repeat(200)}`],
  ['login', () => '/login'],
  ['mails', () => '/dev/mails'],
  ['mail', () => paths.mail],
];

for (const [name, path] of pages) {
  test(
    `the page "${name}" passes its console, axe in both schemes, 320 pixels and keyboard checks`,
    {
      skip,
    },
    () =>
      browser.withPage({ baseURL: api.baseUrl }, async (page) => {
        assert.equal((await page.goto(path()))?.status(), 200, path());
        await checkPage(page, name);
      }),
  );
}

test('the page of an unknown address passes the same checks', { skip }, () =>
  browser.withPage({ baseURL: api.baseUrl, mayFail: [/404/] }, async (page) => {
    assert.equal((await page.goto('/nothing-is-here'))?.status(), 404);
    await checkPage(page, 'not-found');
  }),
);

test('without script, a reader goes from the front page to an article, its author, a tag and back', { skip }, () =>
  browser.withPage({ baseURL: api.baseUrl, javaScriptEnabled: false }, async (page) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Read in a browser' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Read in a browser' }).waitFor();
    await page.getByText('A first paragraph with').waitFor();
    await page
      .getByRole('link', { name: `Author ${api.author.username}` })
      .first()
      .click();
    await page.waitForURL(`/authors/${api.author.username}`);
    await page.getByRole('link', { name: 'browsers' }).first().click();
    await page.waitForURL('/tags/browsers');
    await page.goBack();
    await page.waitForURL(`/authors/${api.author.username}`);
  }),
);

test('a front page that begins with a very long word never scrolls sideways', { skip }, async () => {
  await api.publish({ content: markdown({ title: 'עברית'.repeat(60) }) });
  await browser.withPage({ baseURL: api.baseUrl }, async (page) => {
    await page.goto('/');
    for (const width of [320, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
  });
});

test('the link to an article is copied, or sent by mail without script', { skip }, async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  await browser.withPage({ baseURL: api.baseUrl, permissions }, async (page) => {
    await page.goto(paths.article);
    const share = page.getByRole('group', { name: 'Share' });
    await share.getByRole('button', { name: 'Copy link' }).click();
    await share.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${api.baseUrl}${paths.article}`);
  });
  await browser.withPage({ baseURL: api.baseUrl, javaScriptEnabled: false }, async (page) => {
    await page.goto(paths.article);
    const mail = new URL((await page.getByRole('link', { name: 'Mail' }).getAttribute('href')) ?? '');
    assert.equal(mail.searchParams.get('body'), `${api.baseUrl}${paths.article}`);
    assert.equal(mail.searchParams.get('subject'), 'Read in a browser');
    assert.equal(await page.getByRole('button', { name: 'Copy link' }).count(), 0);
  });
});

test('an article has at most 60 KB, 10 KB of it script, loads only from its own site, and its cover shifts no layout', {
  skip,
}, async () => {
  const example = await readFile(new URL('../../examples/server-sent-events.md', import.meta.url), 'utf8');
  const cover = 'https://images.example/cover.png';
  const { body } = await api.publish({ content: example.replace(/^cover_image: .*$/m, `cover_image: ${cover}`) });
  // The author's picture is the only exception.
  const mayFail = [new RegExp(`^another origin: ${cover}$`)];
  await browser.withPage({ baseURL: api.baseUrl, mayFail }, async (page) => {
    const image = Buffer.from(PIXEL, 'base64');
    const isDrawn = Promise.withResolvers<void>();
    await page.route(cover, async (route) => {
      await isDrawn.promise;
      await route.fulfill({ contentType: 'image/png', body: image });
    });
    await page.goto(`/${body.data?.slug}`, { waitUntil: 'domcontentloaded' });
    await waitUntilDrawn(page);
    isDrawn.resolve();
    await page.waitForLoadState('load');
    const { bytes, scriptBytes, shifts } = await measureLoad(page);
    assert.ok(bytes > 5_000 && bytes <= 60 * 1024, `${bytes} bytes`);
    assert.ok(scriptBytes > 1_000 && scriptBytes <= 10 * 1024, `${scriptBytes} bytes of script`);
    assert.deepEqual(shifts, []);
  });
});

test('an article with contents shifts no layout if its page arrives in parts', { skip }, async (t) => {
  const headings = Array.from({ length: 12 }, (_, number) => `## Part ${number}\n\n${'Some words. '.repeat(60)}\n`);
  const content = markdown({ title: 'Arrives slowly', generate_toc: true }, headings.join('\n'));
  const { body } = await api.publish({ content });
  const isDrawn = Promise.withResolvers<void>();
  const baseURL = await startServer(t, async ({ method, url = '/' }, response) => {
    // The report of a page view.
    if (method !== 'GET') return response.writeHead(204).end();
    const answer = await fetch(api.url + url);
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    const middle = text.indexOf('Part 9</h2>');
    if (middle === -1) return response.end(text);
    response.write(text.slice(0, middle));
    await isDrawn.promise;
    response.end(text.slice(middle));
  });
  const viewport = { width: 412, height: 823 };
  await browser.withPage({ baseURL, viewport }, async (page) => {
    const loaded = page.goto(`/${body.data?.slug}`);
    await page.getByRole('heading', { name: 'Part 1' }).waitFor();
    await waitUntilDrawn(page);
    isDrawn.resolve();
    await loaded;
    assert.deepEqual((await measureLoad(page)).shifts, []);
    assert.equal(await page.locator('.toc details').getAttribute('open'), null);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    assert.equal(await page.locator('.toc details').getAttribute('open'), '');
  });
});

for (const javaScriptEnabled of [true, false]) {
  test(`a reader signs in ${javaScriptEnabled ? 'with' : 'without'} script and returns to the same page`, {
    skip,
  }, async () => {
    const person = await registerPerson(api, `reader-${javaScriptEnabled}`);
    await browser.withPage({ baseURL: api.baseUrl, javaScriptEnabled }, async (page) => {
      await signIn(page, person, paths.article);
      assert.equal(new URL(page.url()).pathname, paths.article);
      if (javaScriptEnabled) await page.getByTitle(`Signed in as ${person.username}`).waitFor();
    });
  });
}

test('Lighthouse reports no problem on an article page, except for time-dependent audits', {
  skip,
}, async () => {
  const lighthouse = await openLighthouse(browser.path);
  try {
    const onlyCategories = ['accessibility', 'best-practices', 'seo', 'agentic-browsing'];
    const result = await lighthouse.run(`${api.baseUrl}${paths.article}`, {
      extends: 'lighthouse:default',
      // The picture of the page only illustrates the report.
      settings: { onlyCategories, disableFullPageScreenshot: true },
    });
    assert.deepEqual(Object.keys(result.categories), onlyCategories);
    assert.deepEqual(listFailures(result), []);
  } finally {
    await lighthouse.close();
  }
});
