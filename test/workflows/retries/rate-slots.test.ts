/** Tests commands and connections during the wait for a rate slot. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forem } from '../../../destinations/forem/index.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { type Command, sendCommand } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listWaits } from '../../support/delivery/list-waits.ts';
import {
  createConnectedAuthor,
  publishArticle,
  waitForDeliveryEnd,
  waitForPause,
} from '../../support/delivery/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ pacing: true });
});
after(() => world.close());

/** Publishes an article with a rate slot in this many seconds. */
async function publishBeforeSlot(title: string, seconds: number) {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await sql`update connections set arrival_at = clock_timestamp() + make_interval(secs => ${seconds}) +
    make_interval(secs => ${computeTolerance()}) where user_id = ${author.id}`.execute(world.api.db);
  const { id } = await publishArticle(world, author, { title });
  const slotAt = await waitForPause(world, id, 'blogsite_a');
  const order = (command: Command) =>
    sendCommand(world.api, author.id, command, { articleId: id, destination: 'blogsite_a' });
  return { id, author, slotAt, order };
}

/** The burst tolerance, in seconds. */
function computeTolerance(): number {
  const { intervalMs, burst } = forem.limits.pacing;
  return (intervalMs * (burst - 1)) / 1000;
}

test('retry does not move a rate slot forward', async () => {
  const { id, slotAt, order } = await publishBeforeSlot('Early retries', 8);
  for (let ordered = 0; ordered < 3; ordered++) assert.ok((await order('retry')).data?.retryDelivery);
  await world.reaches(id, 'blogsite_a', 'delivered');
  const [entry, ...more] = await world.log('Early retries');
  assert.equal(more.length, 0);
  // On a busy machine the row's time may be written a moment after the reservation.
  assert.ok(Date.parse(entry?.at ?? '') >= slotAt.getTime() - 1_000);
});

test('a delivery waits until its rate slot; skip and withdraw end the wait at once', async () => {
  for (const command of ['skip', 'withdraw'] as const) {
    const start = Date.now();
    const { id, order } = await publishBeforeSlot(`Ended by ${command}`, 600);
    const elapsedMs = Date.now() - start;
    await order(command);
    assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /author’s request/);
    assert.deepEqual(await world.log(`Ended by ${command}`), []);
    const [waitMs = 0, ...more] = await listWaits(world.client, buildDeliveryWorkflowId(id, 'blogsite_a'));
    assert.deepEqual(more, []);
    // PostgreSQL rounds the time of the slot.
    assert.ok(waitMs >= 600_000 - elapsedMs && waitMs <= 600_100, `${waitMs} ms`);
  }
});

test('disconnecting frees the slots of waiting deliveries, which reserve again after a reconnection', async () => {
  const { id, author } = await publishBeforeSlot('Disconnected while waiting', 6);
  const slots = world.api.db
    .selectFrom('deliveries')
    .select('slotAt')
    .where('articleId', '=', id)
    .where('slotConnectionId', 'is not', null);
  assert.equal((await slots.execute()).length, 1);
  await disconnectDestination(world.api.db, author.id, 'blogsite_a');
  assert.equal((await slots.execute()).length, 0);
  await world.connect(author, 'blogsite_a');
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await world.log('Disconnected while waiting')).length, 1);
});
