/** Tests that due deliveries are found at any age, including without a workflow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
} from '../../support/delivery/publishing.ts';
import { waitForLongPause, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';

const DESTINATION = 'blogsite_a';
const LONG_PAUSE = { status: 429, headers: { 'retry-after': '3600' } };

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

/** Publishes with a failing first attempt; the next one is an hour later. */
async function publishPaused(title: string) {
  const author = await createConnectedAuthor(world, DESTINATION);
  await world.faults([buildFault('create', LONG_PAUSE)]);
  const { id } = await publishArticle(world, author, { title });
  const of = { author, id, destination: DESTINATION } as const;
  await waitForLongPause(world, of);
  return { ...of, title };
}

/** As if Temporal had lost its state. */
async function loseWorkflow(articleId: string): Promise<void> {
  await world.client.workflow
    .getHandle(buildDeliveryWorkflowId(articleId, DESTINATION))
    .terminate('its state was lost');
}

const setSuspended = (userId: string, isSuspended: boolean) =>
  sql`update users set suspended_at = case when ${isSuspended}::boolean then now() end where id = ${userId}`.execute(
    world.api.db,
  );

test('a delivery with a lost workflow is sent nine days later (F42)', async () => {
  const paused = await publishPaused('Lost for nine days');
  await loseWorkflow(paused.id);
  await passTime(world.api.db, '9 days');
  await sweepStalled(world);
  await waitForState(world, paused, 'delivered');
  await assertOnePostOneEvent(world, paused);
});

for (const days of [9, 31]) {
  test(`a delivery of an author suspended for ${days} days is sent afterwards, even without its workflow (F42)`, async () => {
    const paused = await publishPaused(`Suspended for ${days} days`);
    await loseWorkflow(paused.id);
    await setSuspended(paused.author.id, true);
    await passTime(world.api.db, `${days} days`);
    await sweepStalled(world);
    assert.deepEqual(await listActions(world, paused.title), []);
    await setSuspended(paused.author.id, false);
    await sweepStalled(world);
    await waitForState(world, paused, 'delivered');
    await assertOnePostOneEvent(world, paused);
  });
}

test('a delivery with a workflow that ended for a suspension is sent after it (F42)', async () => {
  const author = await createConnectedAuthor(world, DESTINATION);
  const title = 'Ended by a suspension';
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '2' } })]);
  const { id } = await publishArticle(world, author, { title });
  await waitForFaults(world);
  await setSuspended(author.id, true);
  await waitForDeliveryEnd(world, id, DESTINATION);
  await passTime(world.api.db, '9 days');
  await sweepStalled(world);
  assert.deepEqual(await listActions(world, title), []);
  await setSuspended(author.id, false);
  await sweepStalled(world);
  await waitForState(world, { author, id, destination: DESTINATION }, 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});

test('an update due for nine days is sent, and an old delivered revision is not sent again (F42)', async () => {
  const author = await createConnectedAuthor(world, DESTINATION);
  const title = 'Due for nine days';
  await world.faults([]);
  const { id } = await publishArticle(world, author, { title });
  const of = { author, id, destination: DESTINATION } as const;
  await waitForState(world, of, 'delivered');
  await world.faults([buildFault('update', LONG_PAUSE)]);
  await publishArticle(world, author, { title }, 'Other words.\n');
  await waitForLongPause(world, of);
  await loseWorkflow(id);
  for (const _ of ['once', 'and again']) {
    await passTime(world.api.db, '9 days');
    await sweepStalled(world);
    await waitForState(world, of, 'delivered');
    await waitForDeliveryEnd(world, id, DESTINATION);
    assert.deepEqual(await listActions(world, title), ['create', 'update']);
  }
});
