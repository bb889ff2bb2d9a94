import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { type Command, sendCommand } from '../support/graphql.ts';
import { assertHistoriesReplay } from '../support/replay.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

let authors = 0;
async function newAuthor(): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`command-${++authors}`);
  await world.connect(author, 'blogsite_a');
  return author;
}
async function publish(author: TestAuthor, title: string, body = 'Words.\n', more: object = {}): Promise<string> {
  const answer = await world.api.publish({ content: markdown({ title, ...more }, body) }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data.id;
}
const on = (action: Fault['action'], more: Partial<Fault>): Fault => ({
  platform: 'blogsite_a',
  action,
  times: 1,
  ...more,
});
const order = (author: TestAuthor | null, command: Command, articleId: string, url?: string) =>
  sendCommand(world.api, author?.id ?? null, command, {
    articleId,
    destination: 'blogsite_a',
    ...(url ? { url } : {}),
  });
const actions = async (title: string) => (await world.log(title)).map(({ action }) => action);
const events = async (author: TestAuthor) => (await world.notifications(author)).map(({ type }) => type);
const actorEnds = (articleId: string) => world.client.workflow.getHandle(`delivery/${articleId}/blogsite_a`).result();
const isTold = (articleId: string) =>
  eventually('the outbox to be empty', async () => {
    const left = await world.api.db.selectFrom('outbox').select('id').where('articleId', '=', articleId).execute();
    return left.length === 0;
  });
const settled = async (articleId: string) => {
  await isTold(articleId);
  await actorEnds(articleId);
};
const REFUSAL = { status: 422, body: { error: 'Validation failed: Body is too rude', status: 422 } };

test('commands are for the article’s own author, signed in', async () => {
  const author = await newAuthor();
  const id = await publish(author, 'Foreign commands');
  await world.reaches(id, 'blogsite_a', 'delivered');
  const other = await newAuthor();
  for (const command of ['retry', 'skip', 'overwrite', 'withdraw', 'settle'] as const) {
    assert.equal((await order(null, command, id)).code, 'UNAUTHENTICATED');
    assert.equal((await order(null, command, 'no-id')).code, 'UNAUTHENTICATED');
    for (const one of [id, 'no-id', '00000000-0000-4000-8000-000000000000'])
      assert.equal((await order(other, command, one)).code, 'NOT_FOUND');
  }
  assert.equal((await order(other, 'settle', id, 'javascript:alert(1)')).code, 'NOT_FOUND');
  assert.deepEqual(await actions('Foreign commands'), ['create']);
});

test('retry in the pause after a failure tries at once, and given twice sends once', async () => {
  const author = await newAuthor();
  const title = 'Retried in the pause';
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([on('update', { status: 503, times: 3 })]);
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
  await world.reaches(id, 'blogsite_a', 'delivered', 5_000);
  await settled(id);
  assert.deepEqual(await actions(title), ['create', 'update']);
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});

test('retry after a refusal sends again: one post, one event an outcome', async () => {
  const author = await newAuthor();
  await world.faults([on('create', REFUSAL)]);
  const id = await publish(author, 'Retried after a refusal');
  await world.reaches(id, 'blogsite_a', 'failed');
  await actorEnds(id);
  assert.equal((await order(author, 'retry', id)).data.retryDelivery.errorCode, null);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await settled(id);
  assert.equal((await order(author, 'retry', id)).code, 'NOTHING_TO_RETRY');
  assert.deepEqual(await actions('Retried after a refusal'), ['create']);
  assert.deepEqual(await events(author), ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('skip in the pause ends the waiting; the next publish goes there again', async () => {
  const author = await newAuthor();
  const title = 'Skipped in the pause';
  await world.faults([on('create', { status: 429, headers: { 'retry-after': '3600' } })]);
  const id = await publish(author, title);
  await eventually(
    'the pause',
    async () => (await world.reaches(id, 'blogsite_a', 'pending')).lastErrorCode === 'rate_limited',
  );
  assert.equal((await order(author, 'skip', id)).data.skipDelivery.errorCode, 'skipped');
  assert.equal((await order(author, 'skip', id)).data.skipDelivery.nextAttemptAt, null);
  await settled(id);
  assert.deepEqual([await actions(title), await events(author)], [[], []]);
  await world.api.db.updateTable('connections').set({ blockedUntil: null }).where('userId', '=', author.id).execute();
  await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual(await actions(title), ['create']);
});

test('skip while an attempt is under way: its answer is recorded, and a failure is not tried again', async () => {
  const author = await newAuthor();
  const title = 'Skipped on the wire';
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([on('update', { status: 503, delayMs: 700 })]);
  await publish(author, title, 'Other words.\n');
  await world.reaches(id, 'blogsite_a', 'delivering');
  await order(author, 'skip', id);
  await settled(id);
  const row = await world.reaches(id, 'blogsite_a', 'stale');
  assert.deepEqual([row.lastErrorCode, row.nextAttemptAt], ['skipped', null]);
  assert.deepEqual(await actions(title), ['create']);
});

test('withdraw takes the copy back once and keeps it away over publishes; retry brings the same post back', async () => {
  const author = await newAuthor();
  const title = 'Withdrawn for good';
  await world.faults([]);
  const id = await publish(author, title);
  const { remoteUrl, remoteId } = await world.reaches(id, 'blogsite_a', 'delivered');
  await Promise.all([order(author, 'withdraw', id), order(author, 'withdraw', id)]);
  await eventually('the withdrawal', async () => (await world.reaches(id, 'blogsite_a', 'stale')).withdrawnAt);
  await settled(id);
  assert.equal((await fetch(remoteUrl ?? '')).status, 404);
  await order(author, 'withdraw', id);
  await publish(author, title, 'Newer words.\n');
  await settled(id);
  assert.deepEqual(await actions(title), ['create', 'withdraw']);
  await order(author, 'retry', id);
  const back = await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual([back.remoteId, back.withdrawnAt], [remoteId, null]);
  assert.equal((await fetch(remoteUrl ?? '')).status, 200);
  assert.deepEqual(await actions(title), ['create', 'withdraw', 'update']);
});

test('settle: where the platform can be asked, it is asked instead of the author', async () => {
  const author = await newAuthor();
  const title = 'Asked, not settled';
  await world.faults([
    on('create', { drop: 'after' }),
    on('find', { status: 403, body: { error: 'no', status: 403 } }),
  ]);
  const id = await publish(author, title);
  await world.reaches(id, 'blogsite_a', 'unknown');
  await actorEnds(id);
  assert.equal((await order(author, 'settle', id)).code, 'CAN_BE_ASKED');
  assert.equal((await order(author, 'settle', id, 'https://dev.to/a/b')).code, 'CAN_BE_ASKED');
  await order(author, 'retry', id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await settled(id);
  assert.equal((await actions(title)).filter((action) => action === 'create').length, 1);
  assert.deepEqual(await events(author), ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('every history replays, commands and cut reminders among them', () =>
  assertHistoriesReplay(world.client, world.api.taskQueue, 8));
