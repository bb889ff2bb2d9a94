/** Tests attempts that are interrupted each time, as with a request that kills its worker. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeAttempt } from '../../../api/deliveries/article/describe-attempt.ts';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';
import { listAttempts } from '../../../store/attempts/attempts.ts';
import { listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { assertOnePostOneEvent, createConnectedAuthor, publishArticle } from '../../support/delivery/publishing.ts';
import { replaceMethods } from '../../support/delivery/replace-methods.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
import { eventually } from '../../support/eventually.ts';

let cuts = 0;
/** Look-ups wait for this, so that a test reads the state before their result. */
let lookUps: Promise<void> = Promise.resolve();
let world: DeliveryWorld;
before(async () => {
  const deps = { findDestination: findCut, lateArrivalMs: 0 };
  world = await startDeliveryWorld({ deps });
});
after(() => world.close());

/**
 * The real platform, but creates end their activity between the mark and an answer, without a post.
 */
function findCut(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const limits = { ...destination.limits, readLagMs: 100 };
  return replaceMethods({ ...destination, limits }, (client) => ({
    async create(payload) {
      if (cuts === 0) return client.create(payload);
      cuts -= 1;
      throw Object.assign(new Error('cut'), { code: 'ECONNREFUSED' });
    },
    async find(query) {
      await lookUps;
      return client.find(query);
    },
  }));
}

test('the first create interrupted after its mark is shown in the cell and in the timeline, with the next step', async (context) => {
  cuts = 1;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  lookUps = held;
  context.after(() => release());
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Cut once' });
  const { db } = world.api;
  const scope = { authorId: author.id, articleIds: [id] };
  const cell = await eventually('the author to be told', async () => {
    const [row] = await listGridDeliveries(db, scope);
    return row?.errorCode === 'outcome_unknown' && row;
  });
  assert.deepEqual([cell.state, cell.attempts], ['delivering', 1]);
  assert.match(
    cell.error ?? '',
    /^The outcome of the last attempt is not known yet.+ checks whether the destination has the post/,
  );
  const [attempt] = await listAttempts(db, { authorId: author.id, articleId: id, limit: 1 });
  assert.equal(attempt && describeAttempt(attempt).word, 'Unknown');
  release();
  await world.reaches(id, 'blogsite_a', 'delivered', 60_000);
  assert.equal((await listGridDeliveries(db, scope))[0]?.error, null);
  await assertOnePostOneEvent(world, { author, title: 'Cut once' });
});

test('creates interrupted after their mark are counted from the second on, shown to the author, with growing pauses', async () => {
  cuts = 3;
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const { id } = await publishArticle(world, author, { title: 'Cut each time' });
  const cell = await eventually(
    'the author to be told',
    async () => {
      const [row] = await listGridDeliveries(world.api.db, { authorId: author.id, articleIds: [id] });
      return row?.errorCode === 'interrupted' && row;
    },
    { withinMs: 40_000 },
  );
  assert.equal(cell.attempts, 2);
  assert.match(cell.error ?? '', /worker stopped/);
  assert.ok(cell.nextAttemptAt);
  await world.reaches(id, 'blogsite_a', 'delivered', 60_000);
  await assertOnePostOneEvent(world, { author, title: 'Cut each time' });
  const { events } = await world.client.workflow.getHandle(buildDeliveryWorkflowId(id, 'blogsite_a')).fetchHistory();
  const called = events?.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  assert.deepEqual(
    called?.filter((name) => name === 'planAndSend' || name === 'sendDelivery'),
    ['planAndSend', 'sendDelivery', 'sendDelivery', 'sendDelivery'],
  );
  await assertHistoriesReplay(world.client, world.api.taskQueue, 1);
});
