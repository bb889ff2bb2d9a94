/** Tests changes at the scheduled time, wrong clocks, and articles that must not be published. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOnePostOneEvent,
  createConnectedAuthor,
  listActions,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import { call, inMs, SCHEDULING_API } from '../support/scheduling.ts';

let world: DeliveryWorld;
/** The error of the worker's clock. */
let clockIsOffMs = 0;
before(async () => {
  world = await startDeliveryWorld({
    deps: { now: () => new Date(Date.now() + clockIsOffMs) },
    api: SCHEDULING_API,
  });
});
after(() => world.close());

test('an article deleted or made a draft at its scheduled time has no live copy afterwards (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  for (let round = 0; round < 4; round++) {
    const at = Date.now() + 1_500;
    const title = `Taken back at its hour ${round}`;
    const { id } = await publishArticle(world, author, { title, scheduled_at: new Date(at).toISOString() });
    await sleep(at - Date.now() + round * 40);
    await call(
      world,
      author,
      `${round % 2 === 0 ? 'deleteArticle' : 'unpublishArticle'}(id: "${id}") { article { id } }`,
    );
    await waitForArticleEnd(world, id);
    const row = await world.api.db.selectFrom('deliveries').select('id').where('articleId', '=', id).executeTakeFirst();
    if (row) await waitForDeliveryEnd(world, id, 'blogsite_a');
    const actions = await listActions(world, title);
    assert.deepEqual(actions, actions.length === 0 ? [] : ['create', 'withdraw'], title);
  }
});

test('an article edited at its scheduled time is one post with the new text (F15)', async () => {
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

test('a schedule moved forward by new rules of its time zone is published at its new time', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'By new rules';
  const at = Date.now() + 4_000;
  const local = new Date(at).toISOString().slice(0, 23);
  const { id } = await publishArticle(world, author, { title, scheduled_at: `${local}[Etc/UTC]` });
  await waitForOutbox(world, id);
  // As if calculated by rules that place the zone an hour behind.
  await world.api.db
    .updateTable('articles')
    .set({ scheduledAt: new Date(at + 3_600_000), scheduledRules: '2001a' })
    .where('id', '=', id)
    .execute();
  const search = { taskQueue: world.api.taskQueue, workflowId: `zone-rules-${id}`, args: [] };
  await world.client.workflow.execute('stalledSweepWorkflow', search);
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
  test(`a worker with a clock ${what} fires a schedule once, with one post and one event (F14)`, async (context) => {
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
    // As a repeated signal or the search for stalled articles does.
    for (let n = 0; n < 2; n++) {
      await world.api.db.insertInto('outbox').values({ articleId: id }).execute();
      await waitForArticleEnd(world, id);
    }
    await waitForDeliveryEnd(world, id, 'blogsite_a');
    await assertOnePostOneEvent(world, { author, title });
  });
}

test('ten signals at the scheduled time cause one post and one event (F14, F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Signalled at its hour';
  const at = Date.now() + 1_500;
  const { id } = await publishArticle(world, author, { title, scheduled_at: new Date(at).toISOString() });
  await waitForOutbox(world, id);
  await sleep(at - Date.now() - 20);
  await Promise.all(Array.from({ length: 10 }, () => call(world, author, `publishArticleNow(id: "${id}") { id }`)));
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForArticleEnd(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await assertOnePostOneEvent(world, { author, title });
});

test('an article of a suspended author is published after the suspension, not at its scheduled time (F15)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Suspended at its hour';
  const suspend = (suspendedAt: Date | null) =>
    world.api.db.updateTable('users').set({ suspendedAt }).where('id', '=', author.id).execute();
  const { id } = await publishArticle(world, author, { title, scheduled_at: inMs(5_000) });
  await suspend(new Date());
  await waitForArticleEnd(world, id);
  assert.deepEqual(await listActions(world, title), []);
  await suspend(null);
  const search = { taskQueue: world.api.taskQueue, workflowId: `after-suspension-${id}`, args: [] };
  await world.client.workflow.execute('stalledSweepWorkflow', search);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});
