/** What is at the destinations while an article waits for its hour, and what goes out at the hour: posts and events, counted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDestination } from '../../store/connections/connect.ts';
import { loadSealer } from '../../store/secrets/sealing.ts';
import type { TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';
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
} from '../support/publishing.ts';

let world: DeliveryWorld;
/** By how much the worker's clock is wrong. */
let clockIsOffMs = 0;
before(async () => {
  world = await startDeliveryWorld({
    deps: { now: () => new Date(Date.now() + clockIsOffMs) },
    api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true', PUBLISH_RATE_PER_MINUTE: '1000' } },
  });
});
after(() => world.close());

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const call = async (author: TestAuthor, mutation: string) => {
  const answer = await ask(world.api, author.id, `mutation { ${mutation} }`);
  assert.ok(answer.data, answer.text);
  return answer;
};
const schedule = (author: TestAuthor, id: string, at: string) =>
  call(author, `scheduleArticle(id: "${id}", at: "${at}") { status }`);
const unpublish = (author: TestAuthor, id: string) => call(author, `unpublishArticle(id: "${id}") { article { id } }`);

for (const apartMs of [0, 300, 1_500]) {
  test(`an article that is unpublished and scheduled ${apartMs} ms later leaves its destination, and is back at its hour (F15)`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `Not before its hour ${apartMs}`;
    const { id } = await publishArticle(world, author, { title });
    const { remoteUrl } = await world.reaches(id, 'blogsite_a', 'delivered');
    await unpublish(author, id);
    if (apartMs > 0) await sleep(apartMs);
    await schedule(author, id, inMs(6_000));
    await waitForWithdrawal(world, id, 'blogsite_a');
    assert.equal((await fetch(remoteUrl ?? '')).status, 404);
    await world.reaches(id, 'blogsite_a', 'delivered');
    assert.equal((await fetch(remoteUrl ?? '')).status, 200);
    assert.deepEqual(await listActions(world, title), ['create', 'withdraw', 'update']);
    assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
  });
}

test('an article that is scheduled while its withdrawal waits is still withdrawn (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Scheduled before the withdrawal';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await world.faults([buildFault('withdraw', { status: 429, headers: { 'retry-after': '2' } })]);
  await unpublish(author, id);
  await world.reaches(id, 'blogsite_a', 'stale');
  await schedule(author, id, '2050-01-01T00:00Z');
  await waitForWithdrawal(world, id, 'blogsite_a');
  await schedule(author, id, '2051-01-01T00:00Z');
  await waitForOutbox(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.deepEqual(await listActions(world, title), ['create', 'withdraw']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS']);
});

test('the document of a public article, published as a draft and then with a time, is withdrawn until then, and its answer says so', async () => {
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

test('rescheduling what never was public sends nothing before its hour, and one post then (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a', 'social_feed');
  const title = 'Never public before';
  const { id } = await publishArticle(world, author, {
    title,
    scheduled_at: inMs(3_600_000),
    cross_post: { social_feed: true },
  });
  for (const at of ['2050-01-01', '2051-01-01', inMs(2_500)]) await schedule(author, id, at);
  await waitForOutbox(world, id);
  assert.deepEqual([await listActions(world, title), await listEvents(world, author)], [[], []]);
  for (const destination of ['blogsite_a', 'social_feed'] as const) await world.reaches(id, destination, 'delivered');
  await waitForArticleEnd(world, id);
  await assertOnePostOneEvent(world, { author, title }, ['blogsite_a', 'social_feed']);
});

test('a copy that the platform cannot take back is told of once, however often the article is rescheduled', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_c');
  const title = 'Stays at Medium';
  const { id } = await publishArticle(world, author, { title, cross_post: { blogsite_c: true } });
  await world.reaches(id, 'blogsite_c', 'delivered');
  await unpublish(author, id);
  await world.reaches(id, 'blogsite_c', 'failed');
  for (const at of ['2050-01-01', '2051-01-01', '2052-01-01']) {
    await schedule(author, id, at);
    await waitForOutbox(world, id);
    await waitForDeliveryEnd(world, id, 'blogsite_c');
  }
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
  await schedule(author, id, inMs(1_000));
  await world.reaches(id, 'blogsite_c', 'delivered');
  assert.deepEqual(await listActions(world, title), ['create']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
});

test('a post that was deleted for a schedule is made anew at the hour', async () => {
  const author = await createConnectedAuthor(world, 'social_feed');
  const title = 'Deleted for its hour';
  const { id } = await publishArticle(world, author, { title, cross_post: { social_feed: true } });
  await world.reaches(id, 'social_feed', 'delivered');
  await unpublish(author, id);
  await schedule(author, id, inMs(5_000));
  await waitForWithdrawal(world, id, 'social_feed');
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

test('another account that is connected while an article waits for its hour gets the article at the hour', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'For the other account';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await unpublish(author, id);
  await waitForWithdrawal(world, id, 'blogsite_a');
  await schedule(author, id, inMs(4_000));
  await waitForOutbox(world, id);
  await connectDestination(world.api.db, await loadSealer({ home: world.api.home, key: undefined }), {
    userId: author.id,
    destination: 'blogsite_a',
    platform: 'forem',
    // The same stand-in at another address: another site.
    baseUrl: `${world.sandboxUrl.replace('127.0.0.1', 'localhost')}/forem/api`,
    credentials: { apiKey: 'sandbox-forem-key' },
    now: new Date(),
  });
  await waitForArticleEnd(world, id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await listEvents(world, author)).filter((type) => type === 'CROSS_POST_SUCCESS').length, 2);
});

test('a delivery that was given up while its article waited for its hour is tried again at the hour', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Given up before its hour';
  const { id } = await publishArticle(world, author, { title, scheduled_at: inMs(2_500) });
  await world.api.db
    .insertInto('deliveries')
    .values({ articleId: id, destination: 'blogsite_a', state: 'failed', handledDispatch: 1, lastErrorCode: 'gave_up' })
    .execute();
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});

test('an article that is deleted or made a draft at its hour is at no destination afterwards (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  for (let round = 0; round < 4; round++) {
    const at = Date.now() + 1_500;
    const title = `Taken back at its hour ${round}`;
    const { id } = await publishArticle(world, author, { title, scheduled_at: new Date(at).toISOString() });
    await sleep(at - Date.now() + round * 40);
    await call(author, `${round % 2 === 0 ? 'deleteArticle' : 'unpublishArticle'}(id: "${id}") { article { id } }`);
    await waitForArticleEnd(world, id);
    const row = await world.api.db.selectFrom('deliveries').select('id').where('articleId', '=', id).executeTakeFirst();
    if (row) await waitForDeliveryEnd(world, id, 'blogsite_a');
    const actions = await listActions(world, title);
    assert.deepEqual(actions, actions.length === 0 ? [] : ['create', 'withdraw'], title);
  }
});

test('an article that is edited at its hour is one post with the new text (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  for (let round = 0; round < 4; round++) {
    const at = Date.now() + 1_500;
    const document = { title: `Edited at its hour ${round}`, scheduled_at: new Date(at).toISOString() };
    const { id } = await publishArticle(world, author, document);
    await sleep(at - Date.now() - 40 + round * 40);
    await publishArticle(world, author, document, 'Another text.\n');
    await waitForArticleEnd(world, id);
    const { revision } = await world.api.db
      .selectFrom('articles')
      .select('revision')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await eventually('the newest text to be delivered', async () => {
      const { deliveredRevision } = await world.reaches(id, 'blogsite_a', 'delivered');
      return deliveredRevision === revision;
    });
    await waitForDeliveryEnd(world, id, 'blogsite_a');
    const [first, ...more] = await listActions(world, document.title);
    assert.ok(first === 'create' && more.every((action) => action === 'update'), more.join());
    const events = (await world.notifications(author)).filter(({ payload }) => payload.postTitle === document.title);
    assert.deepEqual(
      events.map(({ type }) => type),
      [first, ...more].map(() => 'CROSS_POST_SUCCESS'),
    );
  }
});

test('a schedule that new rules of its zone bring forward is published at its new time', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'By new rules';
  const at = Date.now() + 4_000;
  const local = new Date(at).toISOString().slice(0, 23);
  const { id } = await publishArticle(world, author, { title, scheduled_at: `${local}[Etc/UTC]` });
  await waitForOutbox(world, id);
  // As if it had been found by rules by which that zone is an hour behind.
  await world.api.db
    .updateTable('articles')
    .set({ scheduledAt: new Date(at + 3_600_000), scheduledRules: '2001a' })
    .where('id', '=', id)
    .execute();
  const search = { taskQueue: world.api.taskQueue, workflowId: `zone-rules-${id}`, args: [] };
  await world.client.workflow.execute('watchWorkflow', search);
  await world.reaches(id, 'blogsite_a', 'delivered');
  const { publishedAt } = await world.api.db
    .selectFrom('articles')
    .select('publishedAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.ok(publishedAt && publishedAt.getTime() >= at && publishedAt.getTime() < at + 10_000);
  await assertOnePostOneEvent(world, { author, title });
});

for (const [what, offMs] of [
  ['three seconds slow', -3_000],
  ['an hour slow after the firing', -3_600_000],
  ['an hour fast after the firing', 3_600_000],
] as const) {
  test(`a worker whose clock is ${what} fires a schedule once: one post, one event (F14)`, async (context) => {
    context.after(() => {
      clockIsOffMs = 0;
    });
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `By a clock that is ${what}`;
    const at = Date.now() + 1_500;
    if (offMs > -10_000 && offMs < 0) clockIsOffMs = offMs;
    const { id } = await publishArticle(world, author, { title, scheduled_at: new Date(at).toISOString() });
    await world.reaches(id, 'blogsite_a', 'delivered');
    assert.ok(Date.now() >= at - clockIsOffMs);
    clockIsOffMs = offMs;
    // As a signal that is repeated, and as the search for stalled articles would do.
    for (let n = 0; n < 2; n++) {
      await world.api.db.insertInto('outbox').values({ articleId: id }).execute();
      await waitForArticleEnd(world, id);
    }
    await waitForDeliveryEnd(world, id, 'blogsite_a');
    await assertOnePostOneEvent(world, { author, title });
  });
}

test('ten signals at the very moment of the hour make one post and one event (F14, F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Signalled at its hour';
  const at = Date.now() + 1_500;
  const { id } = await publishArticle(world, author, { title, scheduled_at: new Date(at).toISOString() });
  await waitForOutbox(world, id);
  await sleep(at - Date.now() - 20);
  await Promise.all(Array.from({ length: 10 }, () => call(author, `publishArticleNow(id: "${id}") { id }`)));
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForArticleEnd(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await assertOnePostOneEvent(world, { author, title });
});

test('an article of a suspended author does not go out at its hour, and does once the suspension has ended (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Suspended at its hour';
  const suspend = (suspendedAt: Date | null) =>
    world.api.db.updateTable('users').set({ suspendedAt }).where('id', '=', author.id).execute();
  const { id } = await publishArticle(world, author, { title, scheduled_at: inMs(1_500) });
  await suspend(new Date());
  await waitForArticleEnd(world, id);
  assert.deepEqual(await listActions(world, title), []);
  await suspend(null);
  const search = { taskQueue: world.api.taskQueue, workflowId: `after-suspension-${id}`, args: [] };
  await world.client.workflow.execute('watchWorkflow', search);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});
