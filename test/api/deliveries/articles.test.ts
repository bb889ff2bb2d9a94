/** Tests the desk's list of articles and the page of an article, in a browser without script. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { addNotification, buildArticleLink } from '../../../store/notifications/add.ts';
import type { TestApi } from '../../support/api/api.ts';
import { type DeskVisitor, visitDesk } from '../../support/api/desk.ts';
import { countQueries } from '../../support/database/count-queries.ts';
import { openDesk, publish } from './support/open-desk.ts';
import { addArticle, addConnection, addDelivery, failed, unknown } from './support/rows.ts';

let api: TestApi;
let desk: DeskVisitor;
before(async () => {
  ({ api, desk } = await openDesk());
});
after(() => api.close());

test('an empty desk shows three steps and marks each completed one', async () => {
  const beginner = await api.createAuthor('beginner');
  await api.db
    .updateTable('developerTokens')
    .set({ revokedAt: new Date() })
    .where('userId', '=', beginner.id)
    .execute();
  const visitor = await visitDesk(api, beginner.id);
  const empty = await visitor.get('/desk');
  assert.equal(empty.status, 200);
  assert.equal(empty.text.match(/To do<\/span>/g)?.length, 3);
  await addConnection(api.db, beginner.id, 'blogsite_a');
  assert.equal((await visitor.get('/desk')).text.match(/Done<\/span>/g)?.length, 1);
  // An empty filter result does not show the steps.
  assert.match((await visitor.get('/desk?state=drafts')).text, /No articles/);
});

test('the list has columns only for destinations that are connected or have deliveries', async () => {
  const author = await api.createAuthor('columns');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  const { id } = await publish(api, 'Columns', {}, author);
  await addDelivery(api.db, id, 'social_feed', { copy: { remoteUrl: 'https://linkedin.example/1' } });
  const { text } = await visitor.get('/desk');
  const headings = [...text.matchAll(/<th scope="col">([^<]+)<\/th>/g)].map(([, heading]) => heading);
  assert.deepEqual(headings, ['Article', 'DEV', 'LinkedIn']);
  assert.match(text, /<a class="state good" href="https:\/\/linkedin\.example\/1">Delivered/);
});

test('the page of an article lists every attempt, and links to the Temporal UI if one is configured', async () => {
  await addConnection(api.db, api.author.id, 'blogsite_a');
  const { id } = await publish(api, 'Told');
  const deliveryId = await addDelivery(api.db, id, 'blogsite_a', {
    attempt: {
      ...{ outcome: 'failed', code: 'rejected', reason: 'Title <b>is</b> taken' },
      ...{ answer: JSON.stringify({ kind: 'rejected' }), answeredAt: new Date() },
    },
  });
  const day = new Date().toISOString().slice(0, 10);
  await api.db.insertInto('articleDays').values({ articleId: id, day, views: 1234, readingSeconds: 120 }).execute();
  await api.db
    .insertInto('articleNotices')
    .values({ articleId: id, code: 'published_late', message: 'It was late.', dedupeKey: deliveryId })
    .execute();
  const { text } = await desk.get(`/desk/articles/${id}`);
  assert.match(text, /Create request sent \(revision 1\)\. Rejected\./);
  assert.match(text, /Title &lt;b&gt;is&lt;\/b&gt; taken/);
  assert.match(text, /It was late\./);
  assert.match(text, /<svg class="sparkline".*<figcaption>1,234 views in the last 30 days/s);
  assert.ok(
    text.includes(
      `http://ui.example/namespaces/default/workflows?query=${encodeURIComponent(`WorkflowId="delivery/${id}/blogsite_a"`)}`,
    ),
  );
});

test('a notification names the destination and links to its article at the desk', async () => {
  const { id } = await publish(api, 'Called so then');
  const payload = { postTitle: 'Called so then', platform: 'BLOGSITE_A', reason: 'No.' };
  const failed = { userId: api.author.id, type: 'CROSS_POST_FAILED', payload, link: buildArticleLink(id) } as const;
  await api.db
    .transaction()
    .execute((tx) => addNotification(tx, { ...failed, dedupeKey: 'leads-to-article', now: new Date() }));
  const page = (await desk.get('/desk/notifications')).text;
  assert.match(page, new RegExp(`DEV rejected .*href="/desk/articles/${id}">View delivery`, 's'));
});

test('a copy with an invalid web address is named and not linked', async () => {
  const payload = { postTitle: 'Linked', platform: 'BLOGSITE_A', sharedUrl: 'javascript:alert(1)' };
  const event = { userId: api.author.id, type: 'CROSS_POST_SUCCESS', payload, dedupeKey: 'bad-address' } as const;
  await api.db.transaction().execute((tx) => addNotification(tx, { ...event, now: new Date() }));
  const { text } = await desk.get('/desk/notifications');
  assert.match(text, /“<bdi>Linked<\/bdi>” was delivered to/);
  assert.doesNotMatch(text, /javascript:alert/);
});

test('titles and remote messages are escaped, and invalid web addresses are not linked', async () => {
  const author = await api.createAuthor('hostile');
  const visitor = await visitDesk(api, author.id);
  const title = `"><script>alert(1)</script> ${'x'.repeat(200)} مقال`;
  const { id } = await publish(api, title, { tags: ['<i>'] }, author);
  await addDelivery(api.db, id, 'blogsite_a', {
    ...failed('drifted', '<img src=x onerror=alert(1)>'),
    copy: { remoteUrl: 'javascript:alert(1)' },
  });
  for (const path of [
    '/desk',
    `/desk/articles/${id}`,
    `/desk/articles/${id}/delete`,
    `/desk?q=${encodeURIComponent('<script>"\u0000')}&tag=%3Ci%3E&after=x&series=y`,
  ]) {
    const { status, text } = await visitor.get(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /<script>alert|<img src=x|href="javascript:|<i>/, path);
  }
});

test('articles that need attention are listed and counted, and a bulk retry reports its result for each article', async () => {
  const author = await api.createAuthor('needy');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  await addConnection(api.db, author.id, 'blogsite_c', 'medium');
  const fine = await publish(api, 'All fine', {}, author);
  await addDelivery(api.db, fine.id, 'blogsite_a', { copy: {} });
  const refused = await publish(api, 'Failed once', {}, author);
  await addDelivery(api.db, refused.id, 'blogsite_a', failed('rejected', 'No.'));
  const lost = await publish(api, 'Not known', { cross_post: { blogsite_c: true } }, author);
  await addDelivery(api.db, lost.id, 'blogsite_c', unknown('Look there.'));
  const list = await visitor.get('/desk?state=needs-attention');
  assert.match(list.text, /Needs attention <span class="badge">2</);
  assert.doesNotMatch(list.text, /All fine/);
  const none = await visitor.submit('/desk/retry', { what: 'selected', back: '/desk?state=needs-attention' });
  assert.match(none.text, /Select the articles to retry first/);
  const all = await visitor.submit('/desk/retry', { what: 'all' });
  assert.match(all.text, /Retrying 1 delivery\./);
  assert.match(all.text, /Failed once<\/a>\s*<p><span class="state info">Retrying<\/span> DEV/);
  assert.match(all.text, /Not known<\/a>\s*<p><span class="state warn">Not retried<\/span> Medium: Look there\./);
  const some = await visitor.submit(
    '/desk/retry',
    new URLSearchParams([
      ['what', 'selected'],
      ['article', fine.id],
      ['article', lost.id],
    ]),
  );
  assert.match(some.text, /Retrying 0 deliveries\.[\s\S]*<p class="soft">Nothing to retry\.<\/p>/);
  assert.match(all.text, /<a class="button" href="\/desk">Back to your articles<\/a>/);
  assert.doesNotMatch(all.text, /first fifty|Continue with the next articles/);
  assert.match(all.text, new RegExp(`<li><a href="/desk/articles/${refused.id}" dir="auto">Failed once</a>`));
  await addDelivery(api.db, lost.id, 'blogsite_c', { copy: {} });
  const idle = await visitor.submit('/desk/retry', { what: 'all', back: '/desk?q=x' });
  assert.match(idle.text, /role="status"><p>Nothing needs attention\.<\/p>/);
});

test('a bulk retry continues after fifty articles that it cannot help', async () => {
  const author = await api.createAuthor('needy-of-many');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  await addConnection(api.db, author.id, 'blogsite_c', 'medium');
  const start = Date.now();
  for (let n = 0; n < 52; n++) {
    const id = await addArticle(api.db, author.id, n, new Date(start - n * 1000));
    if (n < 50) await addDelivery(api.db, id, 'blogsite_c', unknown('Look.'));
    else await addDelivery(api.db, id, 'blogsite_a', { ...failed('rejected', 'No.'), copy: {} });
  }
  const first = await visitor.submit('/desk/retry', { what: 'all' });
  const more = 'More articles may need attention: these are the first fifty.';
  assert.match(first.text, new RegExp(`<p role="status">Retrying 0 deliveries\\. ${more}</p>`));
  assert.match(
    first.text,
    /<button class="button primary" name="what" value="all">Continue with the next articles<\/button>/,
  );
  const after = /name="after" value="([^"]+)"/.exec(first.text)?.[1] ?? '';
  const second = await visitor.submit('/desk/retry', { what: 'all', after });
  assert.match(second.text, /Retrying 2 deliveries\./);
  assert.doesNotMatch(second.text, /name="after"/);
});

test('pages of fifty articles link to older and newer ones with the filter', async () => {
  const author = await api.createAuthor('prolific');
  const visitor = await visitDesk(api, author.id);
  const start = Date.now();
  for (let n = 0; n < 105; n++) await addArticle(api.db, author.id, n, new Date(start - n * 1000));
  const follow = (text: string, rel: string) =>
    (new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
  const titlesOf = (text: string) => [...text.matchAll(/data-title="Numbered (\d+)"/g)].map(([, n]) => Number(n));
  const first = await visitor.get('/desk?tag=numbered');
  assert.deepEqual(titlesOf(first.text), range(0, 50));
  assert.equal(follow(first.text, 'prev'), '');
  const second = await visitor.get(follow(first.text, 'next'));
  const third = await visitor.get(follow(second.text, 'next'));
  assert.deepEqual(titlesOf(second.text), range(50, 100));
  assert.deepEqual(titlesOf(third.text), range(100, 105));
  assert.equal(follow(third.text, 'next'), '');
  const back = await visitor.get(follow(third.text, 'prev'));
  assert.deepEqual(titlesOf(back.text), range(50, 100));
  const backAgain = await visitor.get(follow(back.text, 'prev'));
  assert.deepEqual(titlesOf(backAgain.text), range(0, 50));
  assert.equal(follow(backAgain.text, 'prev'), '');
});

test('the number of database queries does not depend on the number of articles and destinations', async () => {
  const [few, many] = [await api.createAuthor('few'), await api.createAuthor('many')];
  await addArticle(api.db, few.id, 0, new Date());
  for (let n = 0; n < 60; n++) {
    const id = await addArticle(api.db, many.id, n, new Date());
    for (const key of ['blogsite_a', 'blogsite_b', 'cms_site'] as const) {
      await addDelivery(api.db, id, key, { copy: { remoteUrl: `https://there.example/${n}` } });
    }
  }
  const counts = [];
  for (const { id } of [few, many]) {
    const visitor = await visitDesk(api, id);
    await visitor.get('/desk');
    const { queries, answer } = await countQueries(() => visitor.get('/desk'));
    assert.ok(answer.text.length < 150 * 1024, `${answer.text.length} characters`);
    counts.push(queries);
  }
  assert.equal(counts[0], counts[1]);
  assert.ok(Number(counts[0]) <= 8, `${counts[0]} queries`);
});

test('a page with 250 failed deliveries is below 150 KB: it has every reason, and the commands are on the articles’ pages', async () => {
  const author = await api.createAuthor('unlucky');
  const visitor = await visitDesk(api, author.id);
  const platforms = {
    blogsite_a: 'forem',
    blogsite_b: 'hashnode',
    blogsite_c: 'medium',
    cms_site: 'wordpress',
    social_feed: 'linkedin',
  };
  for (const [key, platform] of Object.entries(platforms))
    await addConnection(api.db, author.id, key as DestinationKey, platform);
  for (let n = 0; n < 50; n++) {
    const id = await addArticle(api.db, author.id, n, new Date());
    for (const key of Object.keys(platforms)) {
      const copy = { remoteUrl: `https://there.example/ada/an-article-that-has-number-${n}` };
      const reason = `The destination refused the article with number ${n}: ${'it says what is wrong at length; '.repeat(8)}`;
      await addDelivery(api.db, id, key as DestinationKey, { ...failed('rejected', reason), copy });
    }
  }
  const { text } = await visitor.get('/desk');
  assert.equal(text.match(/class="state bad"/g)?.length, 250);
  assert.equal(text.match(/class="why"/g)?.length, 250);
  assert.match(text, /Many deliveries need attention/);
  assert.doesNotMatch(text, />Retry</);
  const [, id = ''] = /id="a-([^"]+)"/.exec(text) ?? [];
  assert.match((await visitor.get(`/desk/articles/${id}`)).text, />Retry</);
  assert.ok(Buffer.byteLength(text) < 150 * 1024, `${Buffer.byteLength(text)} bytes`);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
