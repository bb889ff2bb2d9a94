/** The desk's articles over HTTP, as a browser without script uses them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { buildArticleLink } from '../../../store/notifications/article-link.ts';
import { listNewest } from '../../../store/notifications/list.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api.ts';
import { countQueries } from '../../support/count-queries.ts';
import { type DeskVisitor, visitDesk } from '../../support/desk.ts';
import { addConnection, addDelivery } from './support/rows.ts';

let api: TestApi;
let desk: DeskVisitor;
before(async () => {
  // Nothing listens there: no actor changes what a test has put into the ledger.
  api = await startTestApi({
    temporal: '127.0.0.1:1',
    env: { TEMPORAL_UI_URL: 'http://ui.example/namespaces/default/' },
  });
  desk = await visitDesk(api, api.author.id);
});
after(() => api.close());

async function publish(title: string, more: Record<string, unknown> = {}, author: TestAuthor = api.author) {
  const { body } = await api.publish({ content: markdown({ title, ...more }) }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}

async function findState(articleId: string, destination: DestinationKey = 'blogsite_a') {
  const row = await api.db
    .selectFrom('deliveries')
    .selectAll()
    .where('articleId', '=', articleId)
    .where('destination', '=', destination)
    .executeTakeFirstOrThrow();
  return row;
}

test('an empty desk leads through three steps, each ticked when it is done', async () => {
  const beginner = await api.createAuthor('beginner');
  await api.db
    .updateTable('developerTokens')
    .set({ revokedAt: new Date() })
    .where('userId', '=', beginner.id)
    .execute();
  const visitor = await visitDesk(api, beginner.id);
  const empty = await visitor.get('/desk');
  assert.equal(empty.status, 200);
  assert.equal(empty.text.match(/to do<\/span>/g)?.length, 3);
  await addConnection(api.db, beginner.id, 'blogsite_a');
  assert.equal((await visitor.get('/desk')).text.match(/done<\/span>/g)?.length, 1);
  // Having nothing of a kind is not having nothing.
  assert.match((await visitor.get('/desk?state=drafts')).text, /Nothing here/);
});

test('the list has a column for each destination that is connected or has deliveries, and no other', async () => {
  const author = await api.createAuthor('columns');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  const { id } = await publish('Columns', {}, author);
  await addDelivery(api.db, id, 'social_feed', {
    state: 'delivered',
    remoteId: '1',
    remoteUrl: 'https://linkedin.example/1',
  });
  const { text } = await visitor.get('/desk');
  assert.match(text, /data-columns="blogsite_a,social_feed"/);
  assert.match(text, /<a class="state good" href="https:\/\/linkedin\.example\/1">delivered/);
  const row = await visitor.get(`/desk/articles/${id}/row?columns=social_feed,nonsense`);
  assert.match(row.text, /^<tr id="a-/);
  assert.equal(row.text.match(/class="state good"/g)?.length, 2, 'its own state, and one destination');
});

test('every command of a delivery is a form, and the page says what came of it', async () => {
  await addConnection(api.db, api.author.id, 'blogsite_a');
  await addConnection(api.db, api.author.id, 'blogsite_c', 'medium');
  const { id } = await publish('Commands');
  await addDelivery(api.db, id, 'blogsite_a', {
    state: 'failed',
    lastErrorCode: 'rejected',
    lastError: 'The title is taken.',
  });
  const path = `/desk/articles/${id}`;
  const list = await desk.get('/desk?state=needs-you');
  assert.match(list.text, /The title is taken\./);
  assert.match(list.text, new RegExp(`formaction="${path}/blogsite_a/retry"`));
  assert.doesNotMatch(list.text, /blogsite_a\/(?:withdraw|overwrite)"/);

  assert.match(
    (await desk.submit(`${path}/blogsite_a/retry`, { back: '/desk?q=Commands' })).text,
    /It is tried again\./,
  );
  assert.equal((await findState(id)).state, 'pending');
  await desk.submit(`${path}/blogsite_a/skip`, { back: path });
  assert.equal((await findState(id)).lastErrorCode, 'skipped');

  const live = { remoteId: '7', remoteUrl: 'https://forem.example/7', deliveredRevision: 1 };
  await addDelivery(api.db, id, 'blogsite_a', {
    state: 'failed',
    lastErrorCode: 'drifted',
    lastError: 'Changed.',
    ...live,
  });
  await desk.submit(`${path}/blogsite_a/overwrite`, { back: path });
  assert.equal((await findState(id)).overwrite, true);
  await desk.submit(`${path}/blogsite_a/withdraw`, { back: path });
  assert.equal((await findState(id)).withdrawRequested, true);
  // What does not apply is refused in words.
  await addDelivery(api.db, id, 'blogsite_a', {
    state: 'delivered',
    lastErrorCode: null,
    lastError: null,
    withdrawRequested: false,
    ...live,
  });
  const refused = await desk.submit(`${path}/blogsite_a/retry`, { back: path });
  assert.match(refused.text, /role="alert"><p>The destination carries the article already\./);
});

test('what nobody can find out is settled in either way', async () => {
  const { id } = await publish('Settled');
  const open = { action: 'create' } as const;
  const unknown = {
    state: 'unknown',
    lastErrorCode: 'outcome_unknown',
    lastError: 'Say what you found (settleDelivery).',
  } as const;
  await addDelivery(api.db, id, 'blogsite_c', unknown, open);
  const path = `/desk/articles/${id}/blogsite_c/settle`;
  const page = await desk.get(`/desk/articles/${id}`);
  assert.match(page.text, /Say what you found \(“I looked there”\)/);
  assert.equal(page.text.match(new RegExp(`action="${path}"`, 'g'))?.length, 2);
  const bad = await desk.submit(path, {
    found: 'yes',
    attempt: '0',
    url: 'https://elsewhere.example/nothing',
    back: `/desk/articles/${id}`,
  });
  assert.match(bad.text, /This is not the address of a post at Medium\./);
  const address = 'https://medium.com/@ada/settled-0123456789ab';
  await desk.submit(path, { found: 'yes', attempt: '0', url: address });
  assert.equal((await findState(id, 'blogsite_c')).remoteUrl, address);

  const again = await publish('Settled again');
  await addDelivery(api.db, again.id, 'blogsite_c', unknown, open);
  assert.match(
    (await desk.submit(`/desk/articles/${again.id}/blogsite_c/settle`, { found: 'no', attempt: '0' })).text,
    /It is sent again\./,
  );
  assert.equal((await findState(again.id, 'blogsite_c')).state, 'pending');
});

test('what an author found belongs to the attempt that the page showed: a page that is out of date settles nothing', async () => {
  const { id } = await publish('Settled too late');
  const unknown = { state: 'unknown', lastErrorCode: 'outcome_unknown', lastError: 'Look there.' } as const;
  const deliveryId = await addDelivery(api.db, id, 'blogsite_c', unknown, { action: 'create' });
  const path = `/desk/articles/${id}`;
  const attempt = /name="attempt" value="(\d+)"/.exec((await desk.get(path)).text)?.[1] ?? '';
  const deny = () => desk.submit(`${path}/blogsite_c/settle`, { found: 'no', attempt, back: path });
  // It was sent again meanwhile, and nobody looked for what that may have made.
  const next = { number: 2, accountId: (await findState(id, 'blogsite_c')).accountId ?? '' };
  await api.db
    .updateTable('deliveryAttempts')
    .set({ endedAt: new Date(), outcome: 'settled' })
    .where('deliveryId', '=', deliveryId)
    .execute();
  await addDelivery(api.db, id, 'blogsite_c', { ...unknown, attempts: 2 }, next);
  assert.match((await deny()).text, /role="alert"><p>It was sent again since this page was loaded/);
  assert.equal((await findState(id, 'blogsite_c')).state, 'unknown');
});

test('cancelling a schedule whose time has come takes nothing back', async () => {
  const { id } = await publish('Just in time', { published: false });
  const path = `/desk/articles/${id}`;
  await desk.submit(`${path}/schedule`, { back: path, at: '2090-07-01T09:00', zone: 'UTC' });
  const button = /formaction="([^"]+)">Cancel the schedule/.exec((await desk.get(path)).text)?.[1] ?? '';
  await desk.post(`${path}/publish`);
  assert.match((await desk.submit(button, { back: path })).text, /role="alert"><p>Its time has come meanwhile/);
  const { status } = await api.db
    .selectFrom('articles')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'PUBLISHED');
});

test('an article is published, scheduled in a zone, moved, cancelled, unpublished and deleted by forms', async () => {
  const { id, slug } = await publish('Moved about', { published: false });
  const path = `/desk/articles/${id}`;
  const back = { back: path };
  const statusOf = async () => {
    const row = await api.db
      .selectFrom('articles')
      .select(['status', 'scheduledAt', 'deletedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.deletedAt ? 'DELETED' : `${row.status} ${row.scheduledAt?.toISOString() ?? ''}`.trim();
  };
  const scheduled = await desk.submit(`${path}/schedule`, { ...back, at: '2090-07-01T09:00', zone: 'Europe/Berlin' });
  assert.match(scheduled.text, /It becomes public at that time\./);
  assert.match(scheduled.text, /1 Jul 2090, 09:00 Europe\/Berlin/);
  assert.match(scheduled.text, /value="2090-07-01T09:00"/);
  assert.equal(await statusOf(), 'SCHEDULED 2090-07-01T07:00:00.000Z');
  await desk.submit(`${path}/schedule`, { ...back, at: '2090-07-02T09:00', zone: '+02:00' });
  assert.equal(await statusOf(), 'SCHEDULED 2090-07-02T07:00:00.000Z');
  assert.match(
    (await desk.submit(`${path}/schedule`, { ...back, at: '2001-01-01T09:00', zone: 'UTC' })).text,
    /is in the past/,
  );
  assert.match(
    (await desk.submit(`${path}/schedule`, { ...back, at: '2090-07-02T09:00', zone: 'Mars/Base' })).text,
    /time zone that does not exist/,
  );
  await desk.submit(`${path}/unpublish`, back);
  assert.equal(await statusOf(), 'DRAFT');
  await desk.submit(`${path}/publish`, back);
  assert.equal(await statusOf(), 'PUBLISHED');

  await addDelivery(api.db, id, 'blogsite_c', {
    state: 'delivered',
    remoteId: '0123456789ab',
    remoteUrl: 'https://medium.example/kept',
  });
  const taken = await desk.submit(`${path}/unpublish`, back);
  assert.match(taken.text, /The copy at https:\/\/medium\.example\/kept stays live/);
  const asked = await desk.get(`${path}/delete`);
  assert.match(asked.text, /The copy at https:\/\/medium\.example\/kept stays live/);
  assert.equal(await statusOf(), 'DRAFT', 'asking deletes nothing');
  assert.equal((await desk.post(`${path}/delete`)).location, '/desk');
  assert.equal(await statusOf(), 'DELETED');
  assert.equal((await fetch(`${api.url}/${slug}`)).status, 410);
  assert.match((await desk.get(path)).text, /It is deleted, and its text is erased/);
  assert.equal((await desk.get(`${path}/row`)).status, 404);
});

test('an article’s own page tells every attempt, in words, and links into the Temporal UI where an operator has set it', async () => {
  const { id } = await publish('Told');
  const deliveryId = await addDelivery(
    api.db,
    id,
    'blogsite_a',
    { state: 'failed', lastErrorCode: 'rejected', lastError: 'No.', attempts: 2 },
    {
      number: 2,
      outcome: 'failed',
      endedAt: new Date(),
      code: 'rejected',
      reason: 'Title <b>is</b> taken',
      answer: JSON.stringify({ kind: 'rejected' }),
      answeredAt: new Date(),
    },
  );
  const day = new Date().toISOString().slice(0, 10);
  await api.db.insertInto('articleDays').values({ articleId: id, day, views: 1234, readingSeconds: 120 }).execute();
  await api.db
    .insertInto('articleNotices')
    .values({ articleId: id, code: 'published_late', message: 'It was late.', dedupeKey: deliveryId })
    .execute();
  const { text } = await desk.get(`/desk/articles/${id}`);
  assert.match(text, /A new post was sent, with revision 1 of the article\. It was refused\./);
  assert.match(text, /Title &lt;b&gt;is&lt;\/b&gt; taken/);
  assert.match(text, /It was late\./);
  assert.match(text, /<svg class="sparkline".*<figcaption>1,234 views in the last 30 days/s);
  assert.ok(
    text.includes(
      `http://ui.example/namespaces/default/workflows?query=${encodeURIComponent(`WorkflowId="delivery/${id}/blogsite_a"`)}`,
    ),
  );
});

test('other people’s articles are 404, and their rows are not touched', async () => {
  const other = await api.createAuthor('somebody-else');
  const { id } = await publish('Not yours', {}, other);
  await addDelivery(api.db, id, 'blogsite_a', { state: 'failed', lastErrorCode: 'rejected', lastError: 'No.' });
  const path = `/desk/articles/${id}`;
  for (const page of [
    path,
    `${path}/row`,
    `${path}/delete`,
    '/desk/articles/not-an-id',
    '/desk/articles/not-an-id/row',
  ]) {
    assert.equal((await desk.get(page)).status, 404, page);
  }
  const commands = [
    'publish',
    'unpublish',
    'delete',
    'schedule',
    ...['retry', 'skip', 'overwrite', 'withdraw', 'settle'].map((one) => `blogsite_a/${one}`),
  ];
  for (const command of commands) assert.equal((await desk.post(`${path}/${command}`)).status, 404, command);
  await desk.post('/desk/retry', { what: 'selected', article: id });
  assert.equal((await findState(id)).state, 'failed');
  assert.equal(
    (await api.db.selectFrom('articles').select('deletedAt').where('id', '=', id).executeTakeFirst())?.deletedAt,
    null,
  );
});

test('the row of what is told is found by its id, whatever the article is called by now, and by nobody else', async () => {
  const { id } = await publish('Called so then');
  const payload = { postTitle: 'Called so then', platform: 'BLOGSITE_A', reason: 'No.' };
  const told = { userId: api.author.id, type: 'CROSS_POST_FAILED', payload, link: buildArticleLink(id) } as const;
  await api.db
    .transaction()
    .execute((tx) => addNotification(tx, { ...told, dedupeKey: 'told-of-row', now: new Date() }));
  const [notification] = await listNewest(api.db, { userId: api.author.id, before: null, limit: 1 });
  await api.db.updateTable('articles').set({ title: 'Called otherwise' }).where('id', '=', id).execute();
  const path = `/desk/notifications/${notification?.id}/row?columns=blogsite_a`;
  const row = await desk.get(path);
  assert.match(row.text, new RegExp(`^<tr id="a-${id}"[^>]*data-title="Called otherwise"`));
  const stranger = await visitDesk(api, (await api.createAuthor('asks-for-rows')).id);
  assert.equal((await stranger.get(path)).status, 404);
  assert.equal((await desk.get('/desk/notifications/none/row')).status, 404);
  const page = (await desk.get('/desk/notifications')).text;
  assert.match(page, new RegExp(`was not taken at DEV / Forem.*href="/desk/articles/${id}">At the desk`, 's'));
});

test('a copy whose address is none of the web is named and not linked', async () => {
  const payload = { postTitle: 'Linked', platform: 'BLOGSITE_A', sharedUrl: 'javascript:alert(1)' };
  const told = { userId: api.author.id, type: 'CROSS_POST_SUCCESS', payload, dedupeKey: 'bad-address' } as const;
  await api.db.transaction().execute((tx) => addNotification(tx, { ...told, now: new Date() }));
  const { text } = await desk.get('/desk/notifications');
  assert.match(text, /“<bdi>Linked<\/bdi>” is at/);
  assert.doesNotMatch(text, /javascript:alert/);
});

test('a form of another site is refused, and a stranger is led to the sign-in page (A41)', async () => {
  const { id } = await publish('Guarded');
  const path = `/desk/articles/${id}/unpublish`;
  assert.equal((await desk.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
  const stranger = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  assert.equal(stranger.headers.get('location'), '/login?next=%2Fdesk');
  assert.equal(
    (await api.db.selectFrom('articles').select('status').where('id', '=', id).executeTakeFirst())?.status,
    'PUBLISHED',
  );
  // Where a form leads is an address of this site.
  assert.equal((await desk.post(path, { back: '//evil.example' })).location, '/desk');
});

test('the script is answered with words alone', async () => {
  const { id } = await publish('In words');
  await addDelivery(api.db, id, 'blogsite_a', { state: 'failed', lastErrorCode: 'rejected', lastError: 'No.' });
  const path = `/desk/articles/${id}/blogsite_a/retry`;
  const done = await desk.post(path, {}, { accept: 'application/json' });
  assert.deepEqual(JSON.parse(done.text), { kind: 'done', text: 'It is tried again.' });
  await addDelivery(api.db, id, 'blogsite_a', { state: 'delivered', lastErrorCode: null, lastError: null });
  assert.equal(JSON.parse((await desk.post(path, {}, { accept: 'application/json' })).text).kind, 'refused');
});

test('titles and remote messages of any kind are text, and addresses that are none of the web are no links', async () => {
  const author = await api.createAuthor('hostile');
  const visitor = await visitDesk(api, author.id);
  const title = `"><script>alert(1)</script> ${'x'.repeat(200)} مقال`;
  const { id } = await publish(title, { tags: ['<i>'] }, author);
  await addDelivery(api.db, id, 'blogsite_a', {
    state: 'failed',
    lastErrorCode: 'drifted',
    lastError: '<img src=x onerror=alert(1)>',
    remoteId: '1',
    remoteUrl: 'javascript:alert(1)',
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

test('what needs its author is listed and counted, and a retry of all says what it did article by article', async () => {
  const author = await api.createAuthor('needy');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  await addConnection(api.db, author.id, 'blogsite_c', 'medium');
  const fine = await publish('All fine', {}, author);
  await addDelivery(api.db, fine.id, 'blogsite_a', { state: 'delivered' });
  const failed = await publish('Failed once', {}, author);
  await addDelivery(api.db, failed.id, 'blogsite_a', { state: 'failed', lastErrorCode: 'rejected', lastError: 'No.' });
  const unknown = await publish('Not known', { cross_post: { blogsite_c: true } }, author);
  await addDelivery(
    api.db,
    unknown.id,
    'blogsite_c',
    { state: 'unknown', lastErrorCode: 'outcome_unknown', lastError: 'Look there.' },
    { action: 'create' },
  );
  const list = await visitor.get('/desk?state=needs-you');
  assert.match(list.text, /Needs you <span class="badge">2</);
  assert.doesNotMatch(list.text, /All fine/);
  const none = await visitor.submit('/desk/retry', { what: 'selected', back: '/desk?state=needs-you' });
  assert.match(none.text, /Select the articles first/);
  const all = await visitor.submit('/desk/retry', { what: 'all' });
  assert.match(all.text, /One delivery is tried again\./);
  assert.match(all.text, /Failed once<\/a>\s*<p><span class="state info">tried again<\/span> DEV \/ Forem/);
  assert.match(all.text, /Not known<\/a>\s*<p><span class="state warn">left as it is<\/span> Medium: Look there\./);
  const some = await visitor.submit(
    '/desk/retry',
    new URLSearchParams([
      ['what', 'selected'],
      ['article', fine.id],
      ['article', unknown.id],
    ]),
  );
  assert.match(some.text, /0 deliveries are tried again\.[\s\S]*Nothing to retry\./);
});

test('a retry of all goes on behind fifty that it cannot help', async () => {
  const author = await api.createAuthor('needy-of-many');
  const visitor = await visitDesk(api, author.id);
  await addConnection(api.db, author.id, 'blogsite_a');
  await addConnection(api.db, author.id, 'blogsite_c', 'medium');
  const start = Date.now();
  for (let n = 0; n < 52; n++) {
    const id = await addArticle(author.id, n, new Date(start - n * 1000));
    if (n < 50)
      await addDelivery(
        api.db,
        id,
        'blogsite_c',
        { state: 'unknown', lastErrorCode: 'outcome_unknown', lastError: 'Look.' },
        { action: 'create' },
      );
    else
      await addDelivery(api.db, id, 'blogsite_a', {
        state: 'failed',
        lastErrorCode: 'rejected',
        lastError: 'No.',
        remoteId: `many-${n}`,
      });
  }
  const first = await visitor.submit('/desk/retry', { what: 'all' });
  assert.match(first.text, /0 deliveries are tried again\./);
  const after = /name="after" value="([^"]+)"/.exec(first.text)?.[1] ?? '';
  const second = await visitor.submit('/desk/retry', { what: 'all', after });
  assert.match(second.text, /2 deliveries are tried again\./);
  assert.doesNotMatch(second.text, /name="after"/);
});

test('pages of fifty lead to older articles and back, with the filter', async () => {
  const author = await api.createAuthor('prolific');
  const visitor = await visitDesk(api, author.id);
  const start = Date.now();
  for (let n = 0; n < 105; n++) await addArticle(author.id, n, new Date(start - n * 1000));
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

test('however many articles and destinations a page shows, the database is asked as often', async () => {
  const [few, many] = [await api.createAuthor('few'), await api.createAuthor('many')];
  await addArticle(few.id, 0, new Date());
  for (let n = 0; n < 60; n++) {
    const id = await addArticle(many.id, n, new Date());
    for (const key of ['blogsite_a', 'blogsite_b', 'cms_site'] as const) {
      await addDelivery(api.db, id, key, {
        state: 'delivered',
        remoteId: `${n}`,
        remoteUrl: `https://there.example/${n}`,
      });
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

test('a page on which all of 250 deliveries failed is below 150 KB: it has every reason, and the commands are on the articles’ pages', async () => {
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
  const failed = { state: 'failed', lastErrorCode: 'rejected', deliveredRevision: 1 } as const;
  for (let n = 0; n < 50; n++) {
    const id = await addArticle(author.id, n, new Date());
    for (const key of Object.keys(platforms)) {
      const remote = {
        remoteId: `unlucky-${n}`,
        remoteUrl: `https://there.example/ada/an-article-that-has-number-${n}`,
      };
      const lastError = `The destination refused the article with number ${n}: ${'it says what is wrong at length; '.repeat(8)}`;
      await addDelivery(api.db, id, key as DestinationKey, { ...failed, ...remote, lastError });
    }
  }
  const { text } = await visitor.get('/desk');
  assert.equal(text.match(/class="state bad"/g)?.length, 250);
  assert.equal(text.match(/class="why"/g)?.length, 250);
  assert.match(text, /So many need you[\s\S]* data-brief>/);
  const [, id = ''] = /id="a-([^"]+)"/.exec(text) ?? [];
  assert.doesNotMatch((await visitor.get(`/desk/articles/${id}/row?columns=blogsite_a&brief`)).text, />Retry</);
  assert.match((await visitor.get(`/desk/articles/${id}`)).text, />Retry</);
  assert.ok(Buffer.byteLength(text) < 150 * 1024, `${Buffer.byteLength(text)} bytes`);
});

async function addArticle(authorId: string, n: number, createdAt: Date): Promise<string> {
  const slug = `numbered-${authorId.slice(0, 8)}-${n}`;
  const row = {
    authorId,
    slug,
    title: `Numbered ${n}`,
    titleKey: slug,
    canonicalKey: `self:${slug}`,
    tags: ['numbered'],
  };
  const text = {
    source: '',
    body: 'Words.',
    derived: '{}',
    fingerprint: Buffer.alloc(32),
    contentHash: '',
    crossPost: '{}',
  };
  const { id } = await api.db
    .insertInto('articles')
    .values({ ...row, ...text, status: 'PUBLISHED', publishedAt: createdAt, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
