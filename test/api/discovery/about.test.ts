/** The page that introduces the site, and its Markdown alternate. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const get = async (path: string) => {
  const response = await fetch(`${api.url}${path}`, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
};

test('the page and its alternate have the same sections and links, and each link works', async () => {
  const page = (await get('/about')).text;
  const alternate = (await get('/about.md')).text;
  const [main = ''] = /<main.*<\/main>/s.exec(page) ?? [];
  const titles = [...main.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title);
  assert.deepEqual(titles, ['Read', 'Write', 'Query', 'Software']);
  assert.deepEqual(
    [...alternate.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
    titles,
  );
  const paths = [...main.matchAll(/<a href="([^"]+)">/g)].map(([, path]) => path ?? '');
  assert.deepEqual(
    [...alternate.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address),
    paths.map((path) => `${api.baseUrl}${path}`),
  );
  assert.ok(paths.length > 5);
  // Without a session, the desk redirects to the sign-in page.
  for (const path of paths) assert.equal((await get(path)).status, path === '/desk' ? 303 : 200, path);
});

test('a character of BASE_URL that has a meaning in a replacement stays as it is', async (t) => {
  const site = await startTestApi({ env: { BASE_URL: 'https://courant.example/$&' } });
  t.after(() => site.close());
  const alternate = await (await fetch(`${site.url}/about.md`)).text();
  assert.ok(alternate.includes('[archive](https://courant.example/$&/archive)'), alternate);
});

test('every page links to it, and no article gets its slug', async () => {
  for (const path of ['/', '/archive', '/nothing-here'])
    assert.match((await get(path)).text, /<nav aria-label="More"><a href="\/about">About<\/a>/);
  const { body } = await api.publish({ content: markdown({ title: 'About' }) });
  assert.notEqual(body.data?.slug, 'about');
});
