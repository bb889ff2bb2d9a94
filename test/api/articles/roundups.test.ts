import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import { findWeekBefore } from '../../../store/calendar/week.ts';
import { createRoundup } from '../../../store/roundups/create-roundup.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const get = async (path: string) => {
  const response = await fetch(`${api.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('before the first roundup, the list page states that there is none', async () => {
  const { status, text } = await get('/roundup');
  assert.equal(status, 200);
  assert.match(text, /No roundups yet/);
});

test('a roundup page shows its articles and authors, escaped, and the list of roundups links to it', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'Featured <script>alert(1)</script> & read' }) });
  const now = new Date();
  const end = new Date(now.getTime() + 7 * 86_400_000);
  const day = now.toISOString().slice(0, 10);
  await api.db
    .insertInto('articleDays')
    .values({ articleId: body.data?.id ?? '', day, views: 40 })
    .execute();
  const week = findWeekBefore(end);
  await createRoundup(api.db, week, now);
  const { status, text, headers } = await get(`/roundup/${week.week}`);
  assert.equal(status, 200);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.ok(text.includes(`href="/${body.data?.slug}"`));
  assert.ok(text.includes(`href="/authors/${api.author.username}"`));
  assert.match(text, /Featured &lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; read/);
  assert.doesNotMatch(text, /<script>alert/);
  assert.ok((await get('/roundup')).text.includes(`href="/roundup/${week.week}"`));
  assert.equal((await get(`/roundup/${week.week}/`)).status, 200);
});

test('a week without a roundup and an invalid week give 404', async () => {
  for (const path of ['2020-W01', '2026-w47', '2026-W471', '..%2f..%2fetc', '%00', 'x'.repeat(500), "2026-W47'--"]) {
    assert.equal((await get(`/roundup/${path}`)).status, 404, path);
  }
});

test('no article gets the slug of the roundup pages', async () => {
  assert.equal(isReservedSlug('roundup'), true);
  const { body } = await api.publish({ content: markdown({ title: 'Roundup' }) });
  assert.notEqual(body.data?.slug, 'roundup');
});
