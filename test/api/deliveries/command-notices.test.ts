/** What the desk's commands for articles and deliveries report to their author, in full. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestApi } from '../../support/api/api.ts';
import { type DeskVisitor, visitDesk } from '../../support/api/desk.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { openDesk, publish } from './support/open-desk.ts';
import { addConnection, addDelivery, failed, findState, unknown } from './support/rows.ts';

let api: TestApi;
let desk: DeskVisitor;
before(async () => {
  ({ api, desk } = await openDesk());
  await addConnection(api.db, api.author.id, 'blogsite_a');
  await addConnection(api.db, api.author.id, 'blogsite_c', 'medium');
});
after(() => api.close());

type Notice = { kind: string; text: string };

async function run(path: string, fields: Record<string, string> = {}): Promise<Notice> {
  const { status, text } = await desk.post(path, fields, { accept: 'application/json' });
  assert.equal(status, 200, text);
  return JSON.parse(text) as Notice;
}

const done = (text: string) => ({ kind: 'done', text });
const refused = (text: string) => ({ kind: 'refused', text });
const LIVE = { remoteUrl: 'https://forem.example/7' };

test('each command of a delivery reports what it does', async () => {
  const { id } = await publish(api, 'Noticed');
  const path = `/desk/articles/${id}/blogsite_a`;
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'No.'));
  assert.deepEqual(await run(`${path}/retry`), done('Retrying.'));
  assert.deepEqual(await run(`${path}/skip`), done('Skipped. The next publish is delivered there again.'));
  await addDelivery(api.db, id, 'blogsite_a', { copy: LIVE, ...failed('drifted', 'Changed.') });
  const overwriting = 'Overwriting the copy. Changes made at the destination are lost.';
  assert.deepEqual(await run(`${path}/overwrite`), done(overwriting));
  assert.deepEqual(await run(`${path}/withdraw`), done('Withdrawing the copy, as far as the platform can.'));
});

test('each command of an article reports what it does, and which copies remain', async () => {
  const { id } = await publish(api, 'Commanded', { published: false });
  const path = `/desk/articles/${id}`;
  const at = { at: '2090-07-01T09:00' };
  const scheduled = (text: string) => done(`Article scheduled. It becomes public on ${text}.`);
  assert.deepEqual(
    await run(`${path}/schedule`, { ...at, zone: ' Asia/Tokyo ' }),
    scheduled('1 Jul 2090, 09:00 Asia/Tokyo'),
  );
  assert.deepEqual(
    await run(`${path}/schedule`, { at: ' 2090-07-01T09:00Z ', zone: '' }),
    scheduled('1 Jul 2090, 09:00 UTC'),
  );
  assert.deepEqual(
    await run(`${path}/schedule`, { at: '2090-07-01T09:00z', zone: '-02:00' }),
    scheduled('1 Jul 2090, 07:00 -02:00'),
  );
  assert.deepEqual(await run(`${path}/schedule`, { ...at, zone: '-02:00' }), scheduled('1 Jul 2090, 09:00 -02:00'));
  const inZone = { at: '2090-07-01T09:00[Asia/Tokyo]', zone: 'UTC' };
  assert.deepEqual(await run(`${path}/schedule`, inZone), scheduled('1 Jul 2090, 00:00 UTC'));
  assert.match((await run(`${path}/schedule`, { at: 'x'.repeat(300), zone: 'UTC' })).text, /^The time .+\.$/);
  assert.deepEqual(await run(`${path}/cancel`), done('The article is now a draft.'));
  const published = 'Article published. It is being delivered to its destinations.';
  assert.deepEqual(await run(`${path}/publish`), done(published));
  await addDelivery(api.db, id, 'blogsite_c', { copy: { remoteUrl: 'https://medium.example/7' } });
  const unpublished = await run(`${path}/unpublish`);
  assert.equal(unpublished.kind, 'warning');
  assert.match(unpublished.text, /^The article is now a draft\. The copy at https:\/\/medium\.example\/7 stays live/);
  const deleted = await run(`${path}/delete`);
  assert.match(deleted.text, /^Article deleted\. The copy at /);
  const gone = await desk.get(`${path}/delete`);
  assert.deepEqual([gone.status, /You have no such article\./.test(gone.text)], [404, true]);
});

test('the notice that a script gets is not cached', async () => {
  const { id } = await publish(api, 'For a script');
  const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin', cookie: desk.cookie };
  const response = await fetch(`${api.url}/desk/articles/${id}/cancel`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(),
  });
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(((await response.json()) as Notice).kind, 'refused');
});

test('a command of an article without copies reports no warning', async () => {
  const { id } = await publish(api, 'Without copies');
  assert.deepEqual(await run(`/desk/articles/${id}/unpublish`), done('The article is now a draft.'));
  assert.deepEqual(await run(`/desk/articles/${id}/delete`), done('Article deleted.'));
});

test('an unknown destination or article is a 404 with the reason', async () => {
  const { id } = await publish(api, 'Addressed');
  for (const [path, reason] of [
    [`/desk/articles/${id}/elsewhere/retry`, 'You have no delivery of this article to this destination.'],
    ['/desk/articles/not-an-id/publish', 'You have no such article.'],
  ] as const) {
    const { status, text } = await desk.post(path);
    assert.deepEqual([status, text.includes(reason)], [404, true], path);
  }
  assert.deepEqual(
    await run(`/desk/articles/${id}/social_feed/retry`),
    refused('You have no delivery of this article to this destination.'),
  );
});

const { attempt } = unknown('Say what you found (settleDelivery).');
const SETTLEABLE = { attempt: { ...attempt, startedAt: new Date('2026-01-01') } };

test('a copy is settled only with the address of a post, at a platform that cannot be searched', async () => {
  const { id } = await publish(api, 'Resolved');
  const path = `/desk/articles/${id}/blogsite_c/settle`;
  await addDelivery(api.db, id, 'blogsite_c', SETTLEABLE);
  const address = 'https://medium.com/@ada/resolved-0123456789ab';
  const bad = refused('This is not the address of a post at Medium.');
  for (const url of [
    '',
    'medium.com/@ada/resolved-0123456789ab',
    address.replace('https', 'ftp'),
    `${address}?${'x'.repeat(2_000)}`,
  ]) {
    assert.deepEqual(await run(path, { found: 'yes', attempt: '1', url }), bad, url.slice(0, 60));
  }
  const found = { found: 'yes', attempt: '1', url: ` ${address} ` };
  assert.deepEqual(await run(path, found), done('The copy is now recorded for this article.'));
  assert.equal((await findState(api.db, id, 'blogsite_c')).remoteUrl, address);
  await addDelivery(api.db, id, 'blogsite_a', SETTLEABLE);
  const searchable = await run(`/desk/articles/${id}/blogsite_a/settle`, { found: 'no', attempt: '1' });
  assert.deepEqual(searchable, refused('DEV can be searched: retryDelivery looks up the post and adopts it.'));
  const again = await publish(api, 'Resolved again', { cross_post: { blogsite_c: true } });
  await addDelivery(api.db, again.id, 'blogsite_c', SETTLEABLE);
  const resend = await run(`/desk/articles/${again.id}/blogsite_c/settle`, {
    found: 'no',
    attempt: '1',
    url: 'ignored',
  });
  assert.deepEqual(resend, done('Sending again.'));
});

test('an account without a confirmed address can only stop what is sent', async () => {
  const author = await api.createAuthor('unconfirmed-author');
  const { id } = await publish(api, 'Of an unconfirmed author', {}, author);
  const visitor = await visitDesk(api, author.id);
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'No.'));
  await api.db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', author.id).execute();
  const path = `/desk/articles/${id}`;
  const json = { accept: 'application/json' };
  for (const command of ['publish', 'schedule', 'blogsite_a/retry', 'blogsite_a/overwrite', 'blogsite_a/settle']) {
    assert.equal((await visitor.post(`${path}/${command}`, {}, json)).status, 403, command);
  }
  for (const command of ['blogsite_a/skip', 'blogsite_a/withdraw', 'cancel', 'unpublish', 'delete']) {
    assert.equal((await visitor.post(`${path}/${command}`, {}, json)).status, 200, command);
  }
});

test('over GraphQL, commands return the delivery; offers and ids of others are ignored', async () => {
  const { id } = await publish(api, 'Over GraphQL');
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'No.'));
  const fields = 'articleId destination state attempts errorCode error remoteUrl';
  const query = (text: string, userId = api.author.id) => runGraphql(api, userId, text);
  const target = `articleId: "${id}", destination: blogsite_a`;
  const skipped = await query(`mutation { skipDelivery(${target}) { ${fields} } }`);
  assert.equal(skipped.code, undefined, skipped.text);
  assert.partialDeepStrictEqual(skipped.data.skipDelivery, {
    articleId: id,
    destination: 'blogsite_a',
    attempts: 1,
    errorCode: 'skipped',
  });
  const retried = await query(`mutation { retryDelivery(${target}) { ${fields} } }`);
  assert.partialDeepStrictEqual(retried.data.retryDelivery, { articleId: id, state: 'PENDING' });
  const listed = await query(`{ deliveries(articleId: "${id}") { destination state } }`);
  assert.deepEqual(
    listed.data.deliveries.map(({ destination }: { destination: string }) => destination),
    ['blogsite_a'],
  );
  for (const [articleId, userId] of [
    ['not-an-id', api.author.id],
    [id, (await api.createAuthor('graphql-other')).id],
  ] as const) {
    assert.deepEqual((await query(`{ deliveries(articleId: "${articleId}") { state } }`, userId)).data.deliveries, []);
    assert.equal(
      (await query(`mutation { retryDelivery(articleId: "${articleId}", destination: blogsite_a) { state } }`, userId))
        .code,
      'NOT_FOUND',
    );
  }
  const none = await query(`mutation { sendArticles(destination: blogsite_a, articleIds: ["${id}", "x"]) { state } }`);
  assert.deepEqual(none.data.sendArticles, []);
  assert.ok(Array.isArray((await query('{ offers(destination: blogsite_a) { articleId slug title } }')).data.offers));
});

test('over GraphQL, a delivery lists its copies at former accounts, and no others', async () => {
  const { id } = await publish(api, 'At two accounts', { cross_post: { blogsite_a: true, blogsite_c: true } });
  for (const [destination, platform] of [
    ['blogsite_a', 'forem'],
    ['blogsite_c', 'medium'],
  ] as const) {
    await addDelivery(api.db, id, destination, { copy: { remoteUrl: 'https://there.example/current' } });
    const account = {
      userId: api.author.id,
      destination,
      platform,
      identity: `old ${destination}`,
      name: `@${platform}`,
    };
    const { id: accountId } = await api.db
      .insertInto('accounts')
      .values(account)
      .returning('id')
      .executeTakeFirstOrThrow();
    const copy = {
      articleId: id,
      accountId,
      presence: 'live',
      remoteId: 'old',
      remoteUrl: `https://${platform}.example/old`,
    } as const;
    await api.db
      .insertInto('copies')
      .values({ ...copy, isCurrent: false })
      .execute();
  }
  const fields = 'destination account url isWithdrawn isUncertain message';
  const { data, text } = await runGraphql(
    api,
    api.author.id,
    `{ deliveries(articleId: "${id}") { destination formerCopies { ${fields} } } }`,
  );
  assert.ok(data, text);
  const former = (destination: string, platform: string) => ({
    ...{ destination, account: `@${platform}`, url: `https://${platform}.example/old` },
    ...{ isWithdrawn: false, isUncertain: false },
  });
  const expected = [former('blogsite_a', 'forem'), former('blogsite_c', 'medium')];
  for (const [index, { destination, formerCopies }] of data.deliveries.entries()) {
    const [{ message, ...copy }, ...others] = formerCopies;
    assert.deepEqual([destination, copy, others], [expected[index]?.destination, expected[index], []]);
    assert.match(message, /^The copy at https:\/\/\w+\.example\/old /);
  }
  assert.equal(data.deliveries.length, 2);
});
