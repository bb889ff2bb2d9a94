/** Tests the desk's commands for articles and deliveries, as forms of a browser without script. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestApi } from '../../support/api/api.ts';
import type { DeskVisitor } from '../../support/api/desk.ts';
import { openDesk, publish } from './support/open-desk.ts';
import { addConnection, addDelivery, failed, findState, unknown } from './support/rows.ts';

let api: TestApi;
let desk: DeskVisitor;
before(async () => {
  ({ api, desk } = await openDesk());
});
after(() => api.close());

test('every command of a delivery is a form, and the page shows its result', async () => {
  await addConnection(api.db, api.author.id, 'blogsite_a');
  await addConnection(api.db, api.author.id, 'blogsite_c', 'medium');
  const { id } = await publish(api, 'Commands');
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'The title is taken.'));
  const path = `/desk/articles/${id}`;
  const list = await desk.get('/desk?state=needs-attention');
  assert.match(list.text, /The title is taken\./);
  assert.match(list.text, new RegExp(`formaction="${path}/blogsite_a/retry"`));
  assert.doesNotMatch(list.text, /blogsite_a\/(?:withdraw|overwrite)"/);

  assert.match((await desk.submit(`${path}/blogsite_a/retry`, { back: '/desk?q=Commands' })).text, /Retrying\./);
  assert.equal((await findState(api.db, id)).state, 'pending');
  await desk.submit(`${path}/blogsite_a/skip`, { back: path });
  assert.equal((await findState(api.db, id)).errorCode, 'skipped');

  const copy = { remoteUrl: 'https://forem.example/7' };
  await addDelivery(api.db, id, 'blogsite_a', { copy, ...failed('drifted', 'Changed.') });
  await desk.submit(`${path}/blogsite_a/overwrite`, { back: path });
  assert.equal((await findState(api.db, id)).overwrite, true);
  await desk.submit(`${path}/blogsite_a/withdraw`, { back: path });
  assert.equal((await findState(api.db, id)).withdrawRequested, true);
  // A command that does not apply is rejected with a message.
  await addDelivery(api.db, id, 'blogsite_a', { copy });
  const refused = await desk.submit(`${path}/blogsite_a/retry`, { back: path });
  assert.match(refused.text, /role="alert"><p>The destination already has the current article\./);
});

/** Started so long ago that the attempt no longer counts as running. */
const { attempt } = unknown('Say what you found (settleDelivery).');
const SETTLEABLE = { attempt: { ...attempt, startedAt: new Date('2026-01-01') } };

test('an unknown outcome is settled as found or as not found', async () => {
  const { id } = await publish(api, 'Settled');
  await addDelivery(api.db, id, 'blogsite_c', SETTLEABLE);
  const path = `/desk/articles/${id}/blogsite_c/settle`;
  const page = await desk.get(`/desk/articles/${id}`);
  assert.match(page.text, /Say what you found \(“Resolve”\)/);
  assert.equal(page.text.match(new RegExp(`action="${path}"`, 'g'))?.length, 2);
  const bad = await desk.submit(path, {
    found: 'yes',
    attempt: '1',
    url: 'https://elsewhere.example/nothing',
    back: `/desk/articles/${id}`,
  });
  assert.match(bad.text, /This is not the address of a post at Medium\./);
  const address = 'https://medium.com/@ada/settled-0123456789ab';
  await desk.submit(path, { found: 'yes', attempt: '1', url: address });
  assert.equal((await findState(api.db, id, 'blogsite_c')).remoteUrl, address);

  const again = await publish(api, 'Settled again', { cross_post: { blogsite_c: true } });
  await addDelivery(api.db, again.id, 'blogsite_c', SETTLEABLE);
  assert.match(
    (await desk.submit(`/desk/articles/${again.id}/blogsite_c/settle`, { found: 'no', attempt: '1' })).text,
    /Sending again\./,
  );
  assert.equal((await findState(api.db, again.id, 'blogsite_c')).state, 'pending');
});

test('settling applies to the attempt that the page showed, and an outdated page settles nothing', async () => {
  const { id } = await publish(api, 'Settled too late');
  const deliveryId = await addDelivery(api.db, id, 'blogsite_c', SETTLEABLE);
  const path = `/desk/articles/${id}`;
  const attempt = /name="attempt" value="(\d+)"/.exec((await desk.get(path)).text)?.[1] ?? '';
  const deny = () => desk.submit(`${path}/blogsite_c/settle`, { found: 'no', attempt, back: path });
  // Another attempt was sent meanwhile, and its outcome was never checked.
  const sent = await api.db
    .updateTable('deliveryAttempts')
    .set({ endedAt: new Date(), outcome: 'settled' })
    .where('deliveryId', '=', deliveryId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { id: _, answer, lookUp, payload, endedAt, outcome, ...same } = sent;
  await api.db
    .insertInto('deliveryAttempts')
    .values({ ...same, lookUp: '{}' })
    .execute();
  assert.match((await deny()).text, /role="alert"><p>The article was sent again since this page was loaded/);
  assert.equal((await findState(api.db, id, 'blogsite_c')).state, 'unknown');
});

test('cancelling a schedule that is already due unpublishes nothing', async () => {
  const { id } = await publish(api, 'Just in time', { published: false });
  const path = `/desk/articles/${id}`;
  await desk.submit(`${path}/schedule`, { back: path, at: '2090-07-01T09:00', zone: 'UTC' });
  const button = /formaction="([^"]+)">Cancel the schedule/.exec((await desk.get(path)).text)?.[1] ?? '';
  await desk.post(`${path}/publish`);
  assert.match((await desk.submit(button, { back: path })).text, /role="alert"><p>The scheduled time has passed/);
  const { status } = await api.db
    .selectFrom('articles')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'PUBLISHED');
});

test('forms publish, schedule in a zone, move, cancel, unpublish and delete an article', async () => {
  const { id, slug } = await publish(api, 'Moved about', { published: false });
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
  assert.match(scheduled.text, /It becomes public on 1 Jul 2090, 09:00 Europe\/Berlin\./);
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

  await addDelivery(api.db, id, 'blogsite_c', { copy: { remoteUrl: 'https://medium.example/kept' } });
  const unpublished = await desk.submit(`${path}/unpublish`, back);
  assert.match(unpublished.text, /The copy at https:\/\/medium\.example\/kept stays live/);
  const confirmation = await desk.get(`${path}/delete`);
  assert.match(confirmation.text, /The copy at https:\/\/medium\.example\/kept stays live/);
  assert.equal(await statusOf(), 'DRAFT', 'asking deletes nothing');
  assert.equal((await desk.post(`${path}/delete`)).location, '/desk');
  assert.equal(await statusOf(), 'DELETED');
  assert.equal((await fetch(`${api.url}/${slug}`)).status, 410);
  assert.match((await desk.get(path)).text, /This article and its text are deleted/);
});

test('a command for another author’s article gives 404 and changes nothing', async () => {
  const other = await api.createAuthor('somebody-else');
  const { id } = await publish(api, 'Not yours', {}, other);
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'No.'));
  const path = `/desk/articles/${id}`;
  for (const page of [path, `${path}/delete`, '/desk/articles/not-an-id']) {
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
  assert.equal((await findState(api.db, id)).state, 'failed');
  assert.equal(
    (await api.db.selectFrom('articles').select('deletedAt').where('id', '=', id).executeTakeFirst())?.deletedAt,
    null,
  );
});

test('a form of another site is rejected, and a stranger is redirected to the sign-in page (A50)', async () => {
  const { id } = await publish(api, 'Guarded');
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
  // A form redirects only to addresses of this site.
  assert.equal((await desk.post(path, { back: '//evil.example' })).location, '/desk');
});

test('a command of the script gets the notice alone', async () => {
  const { id } = await publish(api, 'In words');
  await addDelivery(api.db, id, 'blogsite_a', failed('rejected', 'No.'));
  const path = `/desk/articles/${id}/blogsite_a/retry`;
  const done = await desk.post(path, {}, { accept: 'application/json' });
  assert.deepEqual(JSON.parse(done.text), { kind: 'done', text: 'Retrying.' });
  await addDelivery(api.db, id, 'blogsite_a', { copy: {} });
  assert.equal(JSON.parse((await desk.post(path, {}, { accept: 'application/json' })).text).kind, 'refused');
});
