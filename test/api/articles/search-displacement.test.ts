import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { fillArticles } from '../../store/search/many-articles.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { requestList, titles, waitUntilAllDerived } from './support/lists.ts';

let api: TestApi;
let filler: string;
before(async () => {
  api = await startTestApi();
  // Newer than the articles of the tests.
  filler = await fillArticles(api.db, { count: 1_200, words: 3 });
});
after(() => api.close());

test('an article is found even if its headings are as long as a text', async () => {
  const heading = (n: number) => `## ${Array.from({ length: 500 }, (_, w) => `h${n}x${w}`).join(' ')}`;
  const body = Array.from({ length: 200 }, (_, n) => heading(n)).join('\n\n');
  assert.equal((await api.publish({ content: markdown({ title: 'Only headings', lang: 'en' }, body) })).status, 201);
  await waitUntilAllDerived(api);
  assert.deepEqual(titles((await requestList(api, { q: 'only headings' })).body), ['Only headings']);
});

test('articles of suspended authors and articles excluded from search do not displace other results', async () => {
  await api.publish({ content: markdown({ title: 'An old one', lang: 'en' }, 'All that is common.') });
  await waitUntilAllDerived(api);
  await api.db
    .updateTable('articles')
    .set({ publishedAt: new Date('2001-01-01') })
    .where('title', '=', 'An old one')
    .execute();
  assert.equal(titles((await requestList(api, { q: 'common' })).body).includes('An old one'), false);
  for (const change of [{ suspendedAt: new Date() }, { suspendedAt: null, contentSignal: 'search=no' }]) {
    await api.db.updateTable('users').set(change).where('id', '=', filler).execute();
    assert.deepEqual(titles((await requestList(api, { q: 'common' })).body), ['An old one']);
  }
  await api.db.updateTable('users').set({ contentSignal: null }).where('id', '=', filler).execute();
  await api.db.updateTable('articles').set({ contentSignal: 'search=no' }).where('authorId', '=', filler).execute();
  assert.deepEqual(titles((await requestList(api, { q: 'common' })).body), ['An old one']);
  await api.db.updateTable('articles').set({ contentSignal: null }).where('authorId', '=', filler).execute();
  assert.equal((await requestList(api, { q: 'common' })).body.data.length, 20);
});

test('hanging searches leave database connections free for publishes', async () => {
  await api.db.transaction().execute(async (tx) => {
    await sql`lock table search_entries in access exclusive mode`.execute(tx);
    let ended = 0;
    const searches = Array.from({ length: 60 }, () =>
      requestList(api, { q: 'common' }).finally(() => {
        ended += 1;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal((await api.publish({ content: markdown({ title: 'Meanwhile', lang: 'en' }, 'Text.') })).status, 201);
    // They run one at a time. A publish that needs the connection of one ends after all that run.
    assert.ok(ended <= 2, `the publish ended after ${ended} searches`);
    const answers = await Promise.all(searches);
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [503, '*']);
      assert.match(body.code ?? '', /^search_(busy|too_slow)$/);
    }
  });
  assert.equal((await requestList(api, { q: 'common' })).status, 200);
});
