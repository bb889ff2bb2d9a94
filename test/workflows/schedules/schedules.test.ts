/** Tests the posts and events of scheduled articles before and at their time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDestination } from '../../../store/connections/connect.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { buildArticleWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listWaits } from '../../support/delivery/list-waits.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import { inMs, SCHEDULING_API, schedule, unpublish } from '../support/scheduling.ts';

/** A time that no test reaches: an article is moved to its near time when its test is ready. */
const DAY_MS = 24 * 60 * 60_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ api: SCHEDULING_API });
});
after(() => world.close());

for (const apartMs of [0, 300, 1_500]) {
  test(`an article unpublished and scheduled ${apartMs} ms later is withdrawn, and restored at its time (F15)`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `Not before its hour ${apartMs}`;
    const { id } = await publishArticle(world, author, { title });
    const { remoteUrl } = await world.reaches(id, 'blogsite_a', 'delivered');
    await unpublish(world, author, id);
    if (apartMs > 0) await sleep(apartMs);
    await schedule(world, author, id, inMs(DAY_MS));
    await waitForWithdrawal(world, id, 'blogsite_a');
    assert.equal((await fetch(remoteUrl ?? '')).status, 404);
    await schedule(world, author, id, inMs(4_000));
    await world.reaches(id, 'blogsite_a', 'delivered');
    assert.equal((await fetch(remoteUrl ?? '')).status, 200);
    assert.deepEqual(await listActions(world, title), ['create', 'withdraw', 'update']);
    assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
  });
}

test('an article scheduled while its withdrawal waits is still withdrawn (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Scheduled before the withdrawal';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await world.faults([buildFault('withdraw', { status: 429, headers: { 'retry-after': '2' } })]);
  await unpublish(world, author, id);
  await world.reaches(id, 'blogsite_a', 'stale');
  await schedule(world, author, id, '2050-01-01T00:00Z');
  await waitForWithdrawal(world, id, 'blogsite_a');
  await schedule(world, author, id, '2051-01-01T00:00Z');
  await waitForOutbox(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.deepEqual(await listActions(world, title), ['create', 'withdraw']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS']);
});

test('a public article published as a draft and then with a time is withdrawn until then, with a warning', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'From its document';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([buildFault('withdraw', { status: 503, times: 2 })]);
  await publishArticle(world, author, { title, draft: true });
  const content = `---\ntitle: ${title}\nscheduled_at: 2050-01-01T00:00:00Z\n---\nThe first paragraph.\n`;
  const answer = await world.api.publish({ content }, { token: author.token });
  assert.equal(answer.body.data?.status, 'SCHEDULED');
  assert.ok(
    answer.body.warnings?.some(({ code }) => code === 'remote_copy_live'),
    JSON.stringify(answer.body.warnings),
  );
  await waitForWithdrawal(world, id, 'blogsite_a');
  assert.equal((await listActions(world, title)).filter((action) => action === 'withdraw').length, 1);
});

test('rescheduling an article that was never public sends nothing before its time, and one post then (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'social_feed');
  const title = 'Never public before';
  const { id } = await publishArticle(world, author, {
    title,
    scheduled_at: inMs(3_600_000),
    cross_post: { social_feed: true },
  });
  for (const at of ['2050-01-01', '2051-01-01']) await schedule(world, author, id, at);
  await waitForOutbox(world, id);
  assert.deepEqual([await listActions(world, title), await listEvents(world, author)], [[], []]);
  const at = inMs(2_500);
  await schedule(world, author, id, at);
  for (const destination of ['blogsite_a', 'social_feed'] as const) await world.reaches(id, destination, 'delivered');
  await waitForArticleEnd(world, id);
  await assertOnePostOneEvent(world, { author, title }, ['blogsite_a', 'social_feed']);
  const early = (await world.log(title)).filter((entry) => Date.parse(entry.at) < Date.parse(at));
  assert.deepEqual(early, []);
});

test('a copy that the platform cannot withdraw is notified once, even if the article is rescheduled', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_c');
  const title = 'Stays at Medium';
  const { id } = await publishArticle(world, author, { title, cross_post: { blogsite_c: true } });
  await world.reaches(id, 'blogsite_c', 'delivered');
  await unpublish(world, author, id);
  await world.reaches(id, 'blogsite_c', 'failed');
  for (const at of ['2050-01-01', '2051-01-01', '2052-01-01']) {
    await schedule(world, author, id, at);
    await waitForOutbox(world, id);
    await waitForDeliveryEnd(world, id, 'blogsite_c');
  }
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
  await schedule(world, author, id, inMs(4_000));
  await world.reaches(id, 'blogsite_c', 'delivered');
  assert.deepEqual(await listActions(world, title), ['create']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
});

test('a post deleted for a schedule is created again at its time', async () => {
  const author = await createConnectedAuthor(world, 'social_feed');
  const title = 'Deleted for its hour';
  const { id } = await publishArticle(world, author, { title, cross_post: { social_feed: true } });
  await world.reaches(id, 'social_feed', 'delivered');
  await unpublish(world, author, id);
  await schedule(world, author, id, inMs(DAY_MS));
  await waitForWithdrawal(world, id, 'social_feed');
  await schedule(world, author, id, inMs(4_000));
  await world.reaches(id, 'social_feed', 'delivered');
  assert.deepEqual(await listActions(world, title), ['create', 'withdraw', 'create']);
  const attempts = world.api.db
    .selectFrom('deliveryAttempts')
    .innerJoin('deliveries', 'deliveries.id', 'deliveryAttempts.deliveryId')
    .select('deliveryAttempts.answer')
    .where('deliveries.articleId', '=', id);
  const withdrawal = await attempts.where('deliveryAttempts.action', '=', 'withdraw').executeTakeFirst();
  assert.deepEqual(
    withdrawal?.answer,
    { kind: 'done', remote: null, deleted: true },
    'also for an account that returns',
  );
});

test('another account connected before the scheduled time gets the article at its time', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'For the other account';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await unpublish(world, author, id);
  await waitForWithdrawal(world, id, 'blogsite_a');
  await schedule(world, author, id, inMs(DAY_MS));
  await waitForOutbox(world, id);
  await connectDestination(world.api.db, await loadSealer({ home: world.api.home, key: undefined }), {
    userId: author.id,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: `${world.sandboxUrl.replace('127.0.0.1', 'localhost')}/forem/api`,
    credentials: { apiKey: 'sandbox-forem-key' },
    account: { identity: 'another', name: null },
  });
  await schedule(world, author, id, inMs(4_000));
  await waitForArticleEnd(world, id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await listEvents(world, author)).filter((type) => type === 'CROSS_POST_SUCCESS').length, 2);
});

test('a delivery given up before the scheduled time is attempted again at that time', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Given up before its hour';
  const { id } = await publishArticle(world, author, { title, scheduled_at: inMs(5_000) });
  const { db } = world.api;
  const row = { articleId: id, destination: 'blogsite_a', handledDispatch: 1 } as const;
  const { deliveryId } = await db
    .insertInto('deliveries')
    .values(row)
    .returning('id as deliveryId')
    .executeTakeFirstOrThrow();
  const accounts = db.selectFrom('accounts').select('id as accountId').where('userId', '=', author.id);
  const sent = { action: 'create', dispatch: 1, revision: 1, contentHash: '', lookUp: '{}', wasSent: false } as const;
  const failed = { outcome: 'failed', code: 'gave_up', endedAt: new Date() } as const;
  await db
    .insertInto('deliveryAttempts')
    .values({ deliveryId, ...(await accounts.executeTakeFirstOrThrow()), ...sent, ...failed })
    .execute();
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});

const MINUTE_MS = 60_000;

for (const [inMinutes, untilMinutes] of [
  [180, [120]],
  [59, [0, 59]],
  [9, [9]],
] as const) {
  test(`an article due in ${inMinutes} minutes waits until its reminder an hour before, if any, and until its time`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const start = Date.now();
    const scheduled_at = new Date(start + inMinutes * MINUTE_MS).toISOString();
    const { id } = await publishArticle(world, author, { title: `Due in ${inMinutes} minutes`, scheduled_at });
    await waitForOutbox(world, id);
    const waits = await eventually('the last wait', async () => {
      const found = await listWaits(world.client, buildArticleWorkflowId(id));
      return found.length >= untilMinutes.length && found;
    });
    const elapsedMs = Date.now() - start;
    assert.equal(waits.length, untilMinutes.length);
    for (const [index, minutes] of untilMinutes.entries()) {
      const untilMs = minutes * MINUTE_MS;
      const waitMs = waits[index] ?? Number.NaN;
      assert.ok(waitMs <= Math.max(1, untilMs) && waitMs >= untilMs - elapsedMs, `${waits}`);
    }
  });
}
