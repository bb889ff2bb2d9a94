/** Tests the effect of article commands on deliveries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
  waitForPause,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
});
after(() => world.close());

const call = (author: TestAuthor, mutation: string) => runGraphql(world.api, author.id, `mutation { ${mutation} }`);
const REMOVAL = '{ article { status } copies { destination url isWithdrawn message } }';

test('a draft published by command is delivered once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'By command', draft: true });
  await Promise.all([
    call(author, `publishArticleNow(id: "${id}") { id }`),
    call(author, `publishArticleNow(id: "${id}") { id }`),
  ]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual(
    [await listActions(world, 'By command'), await listEvents(world, author)],
    [['create'], ['CROSS_POST_SUCCESS']],
  );
});

test('a schedule set by command fires at its time, including after it was moved forward', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id, url } = await publishArticle(world, author, { title: 'At its time', draft: true });
  await call(author, `scheduleArticle(id: "${id}", at: "2050-01-01") { id }`);
  assert.equal((await fetch(url)).status, 404);
  const at = new Date(Date.now() + 4_000).toISOString();
  await call(author, `scheduleArticle(id: "${id}", at: "${at}") { id }`);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await fetch(url)).status, 200);
  const [entry, ...more] = await world.log('At its time');
  assert.ok(more.length === 0 && Date.parse(entry?.at ?? '') >= Date.parse(at));
});

test('unpublishing withdraws the copies as far as each platform can and returns the result for each', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'blogsite_b');
  const { id, url } = await publishArticle(world, author, { title: 'Taken back' });
  const a = await world.reaches(id, 'blogsite_a', 'delivered');
  await world.reaches(id, 'blogsite_b', 'delivered');
  const { data } = await call(author, `unpublishArticle(id: "${id}") ${REMOVAL}`);
  const { copies, article } = data.unpublishArticle;
  assert.equal(article.status, 'DRAFT');
  assert.deepEqual(
    copies.map((copy: { destination: string; isWithdrawn: boolean }) => [copy.destination, copy.isWithdrawn]),
    [
      ['blogsite_a', true],
      ['blogsite_b', true],
    ],
  );
  assert.equal(copies[0].url, a.remoteUrl);
  assert.match(copies[1].message, /from the lists/);
  await waitForWithdrawal(world, id, 'blogsite_a');
  await waitForWithdrawal(world, id, 'blogsite_b');
  assert.equal((await fetch(url)).status, 410);
  assert.equal((await fetch(a.remoteUrl ?? '')).status, 404);
});

test('unpublishing with a disconnected destination returns the copy that remains live', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Stays live' });
  const { remoteUrl } = await world.reaches(id, 'blogsite_a', 'delivered');
  await call(author, 'disconnectDestination(destination: blogsite_a)');
  const { data } = await call(author, `unpublishArticle(id: "${id}") ${REMOVAL}`);
  const [copy] = data.unpublishArticle.copies;
  assert.equal(copy.isWithdrawn, false);
  assert.ok(copy.message.includes(remoteUrl) && /stays live/.test(copy.message));
  await world.reaches(id, 'blogsite_a', 'held');
  assert.deepEqual(await listActions(world, 'Stays live'), ['create']);
});

test('deleting withdraws the copies, and publishing the document again restores the same article and post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const document = { title: 'Deleted and back', tags: ['one'] };
  const first = await publishArticle(world, author, document);
  const post = await world.reaches(first.id, 'blogsite_a', 'delivered');
  const removal = await call(author, `deleteArticle(id: "${first.id}") ${REMOVAL}`);
  assert.equal(removal.data.deleteArticle.copies.length, 1);
  await waitForWithdrawal(world, first.id, 'blogsite_a');
  assert.equal((await fetch(first.url)).status, 410);
  assert.equal((await fetch(post.remoteUrl ?? '')).status, 404);
  const second = await publishArticle(world, author, document);
  assert.deepEqual([second.id, second.url], [first.id, first.url]);
  const back = await world.reaches(first.id, 'blogsite_a', 'delivered');
  assert.equal(back.remoteId, post.remoteId);
  assert.equal((await fetch(second.url)).status, 200);
  assert.equal((await fetch(post.remoteUrl ?? '')).status, 200);
  assert.deepEqual(await listActions(world, 'Deleted and back'), ['create', 'withdraw', 'update']);
});

test('an article deleted before its first delivery is not delivered', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '3600' } })]);
  const { id } = await publishArticle(world, author, { title: 'Never sent' });
  await waitForPause(world, id, 'blogsite_a');
  await call(author, `deleteArticle(id: "${id}") ${REMOVAL}`);
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /a draft is not delivered/);
  assert.deepEqual(await listActions(world, 'Never sent'), []);
});

test('held deliveries are sent when the destination is reconnected, with one post and one more event each', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const again = () => call(author, 'reconnectDestination(destination: blogsite_a) { status }');
  // The account of the probe, which the connection of the test has not yet.
  await again();
  await world.api.db
    .updateTable('connections')
    .set({ status: 'unauthorised' })
    .where('userId', '=', author.id)
    .execute();
  const ids: string[] = [];
  for (const title of ['Held A', 'Held B']) ids.push((await publishArticle(world, author, { title })).id);
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'held');
  await world.faults([]);
  const answers = await Promise.all([again(), again()]);
  assert.ok(
    answers.every(({ data }) => data?.reconnectDestination.status === 'ACTIVE'),
    answers[0]?.text,
  );
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'delivered');
  await again();
  for (const id of ids) await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.deepEqual([await listActions(world, 'Held A'), await listActions(world, 'Held B')], [['create'], ['create']]);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});

test('nothing is sent to a disconnected destination, even after a command (F26)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '3600' } })]);
  const { id } = await publishArticle(world, author, { title: 'Waits in vain' });
  await waitForPause(world, id, 'blogsite_a');
  assert.equal((await call(author, 'disconnectDestination(destination: blogsite_a)')).data.disconnectDestination, true);
  await call(author, `retryDelivery(articleId: "${id}", destination: blogsite_a) { state }`);
  const row = await world.reaches(id, 'blogsite_a', 'held');
  assert.equal(row.errorCode, 'not_connected');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.deepEqual(await listActions(world, 'Waits in vain'), []);
});

test('a change by the author does not wait for the probes of a reminder', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  // A refused probe is repeated only after a pause.
  await world.faults([buildFault('probe', { status: 401 })]);
  const scheduledAt = new Date(Date.now() + 50 * 60_000).toISOString();
  const { id } = await publishArticle(world, author, { title: 'Not held up', scheduled_at: scheduledAt });
  await waitForFaults(world);
  await call(author, `publishArticleNow(id: "${id}") { id }`);
  await world.reaches(id, 'blogsite_a', 'delivered', 15_000);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS']);
});

test('every history replays, including those with commands and interrupted reminders', async () => {
  await assertHistoriesReplay(world.client, world.api.taskQueue, 12);
});
