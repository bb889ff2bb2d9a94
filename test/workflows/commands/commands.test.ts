/** Tests the commands of a delivery at a platform with look-up. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAuthor } from '../../support/api/api.ts';
import { type Command, sendCommand } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

const publish = async (author: TestAuthor, title: string, body = 'Words.\n'): Promise<string> =>
  (await publishArticle(world, author, { title }, body)).id;
const order = (author: TestAuthor | null, command: Command, articleId: string, url?: string) =>
  sendCommand(world.api, author?.id ?? null, command, {
    articleId,
    destination: 'blogsite_a',
    ...(url ? { url } : {}),
  });
const waitForEnd = (articleId: string) => waitForDeliveryEnd(world, articleId, 'blogsite_a');
const REFUSAL = { status: 422, body: { error: 'Validation failed: Body is too rude', status: 422 } };

test('only the signed-in author of an article can send its commands', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const id = await publish(author, 'Foreign commands');
  await world.reaches(id, 'blogsite_a', 'delivered');
  const other = await createConnectedAuthor(world, 'blogsite_a');
  for (const command of ['retry', 'skip', 'overwrite', 'withdraw', 'settle'] as const) {
    assert.equal((await order(null, command, id)).code, 'UNAUTHENTICATED');
    assert.equal((await order(null, command, 'no-id')).code, 'UNAUTHENTICATED');
    for (const one of [id, 'no-id', '00000000-0000-4000-8000-000000000000'])
      assert.equal((await order(other, command, one)).code, 'NOT_FOUND');
  }
  assert.equal((await order(other, 'settle', id, 'javascript:alert(1)')).code, 'NOT_FOUND');
  assert.deepEqual(await listActions(world, 'Foreign commands'), ['create']);
});

test('retry during the pause after a failure sends immediately, and two commands send once', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Retried in the pause';
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([buildFault('update', { status: 503, times: 3 })]);
  await publish(author, title, 'Other words.\n');
  // After the third failure the pause is 18 s long.
  await eventually('a long pause', async () => {
    const row = await world.reaches(id, 'blogsite_a', 'stale');
    return (row.nextAttemptAt?.getTime() ?? 0) > Date.now() + 10_000;
  });
  const ordered = await Promise.all([order(author, 'retry', id), order(author, 'retry', id)]);
  assert.ok(
    ordered.every(({ data }) => data?.retryDelivery),
    ordered[0]?.text,
  );
  await world.reaches(id, 'blogsite_a', 'delivered', 10_000);
  await waitForEnd(id);
  assert.deepEqual(await listActions(world, title), ['create', 'update']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});

test('retry after a rejection sends again, with one post and one event per outcome', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', REFUSAL)]);
  const id = await publish(author, 'Retried after a refusal');
  await world.reaches(id, 'blogsite_a', 'failed');
  await waitForEnd(id);
  assert.equal((await order(author, 'retry', id)).data.retryDelivery.errorCode, null);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForEnd(id);
  assert.equal((await order(author, 'retry', id)).code, 'NOTHING_TO_RETRY');
  assert.deepEqual(await listActions(world, 'Retried after a refusal'), ['create']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('skip during a pause ends it, and the next publish is sent', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Skipped in the pause';
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '3600' } })]);
  const id = await publish(author, title);
  await eventually(
    'the pause',
    async () => (await world.reaches(id, 'blogsite_a', 'pending')).errorCode === 'rate_limited',
  );
  assert.equal((await order(author, 'skip', id)).data.skipDelivery.errorCode, 'skipped');
  assert.equal((await order(author, 'skip', id)).data.skipDelivery.nextAttemptAt, null);
  await waitForEnd(id);
  assert.deepEqual([await listActions(world, title), await listEvents(world, author)], [[], []]);
  await world.api.db
    .updateTable('connections')
    .set({ blockedUntil: null, arrivalAt: new Date() })
    .where('userId', '=', author.id)
    .execute();
  await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual(await listActions(world, title), ['create']);
});

test('skip during an attempt does not prevent the record of its outcome, and a failure is not retried', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Skipped on the wire';
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([buildFault('update', { status: 503, delayMs: 700 })]);
  await publish(author, title, 'Other words.\n');
  await waitForFaults(world);
  await order(author, 'skip', id);
  await waitForEnd(id);
  const row = await world.reaches(id, 'blogsite_a', 'stale');
  assert.deepEqual([row.errorCode, row.nextAttemptAt], ['skipped', null]);
  assert.deepEqual(await listActions(world, title), ['create']);
});

test('withdraw removes the copy once, including for later publishes, and retry restores the same post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Withdrawn for good';
  await world.faults([]);
  const id = await publish(author, title);
  const { remoteUrl, remoteId } = await world.reaches(id, 'blogsite_a', 'delivered');
  await Promise.all([order(author, 'withdraw', id), order(author, 'withdraw', id)]);
  await waitForWithdrawal(world, id, 'blogsite_a');
  await waitForEnd(id);
  assert.equal((await fetch(remoteUrl ?? '')).status, 404);
  await order(author, 'withdraw', id);
  await publish(author, title, 'Newer words.\n');
  await waitForEnd(id);
  assert.deepEqual(await listActions(world, title), ['create', 'withdraw']);
  await order(author, 'retry', id);
  const back = await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual([back.remoteId, back.withdrawnAt], [remoteId, null]);
  assert.equal((await fetch(remoteUrl ?? '')).status, 200);
  assert.deepEqual(await listActions(world, title), ['create', 'withdraw', 'update']);
});

test('settle is refused at a platform with look-up', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Asked, not settled';
  await world.faults([
    buildFault('create', { drop: 'after' }),
    buildFault('find', { status: 403, body: { error: 'no', status: 403 } }),
  ]);
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'unknown');
  await waitForEnd(id);
  assert.equal((await order(author, 'settle', id)).code, 'CAN_BE_ASKED');
  assert.equal((await order(author, 'settle', id, 'https://dev.to/a/b')).code, 'CAN_BE_ASKED');
  await order(author, 'retry', id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForEnd(id);
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('every history replays, including those with commands', async () => {
  await assertHistoriesReplay(world.client, world.api.taskQueue, 8);
});
