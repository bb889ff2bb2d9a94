/** A call that was planned, and that no worker takes for longer than a call may last. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { passTime } from '../support/pass-time.ts';
import {
  buildFault,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
} from '../support/publishing.ts';
import { readDelivery, waitForState } from '../support/seen-deliveries.ts';

const DESTINATION = 'blogsite_a';
/** The one slot of the worker is taken for so long. */
const TAKEN_MS = 8_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ pacing: true, deliverySlots: 1, deps: { httpTimeoutMs: TAKEN_MS + 4_000 } });
});
after(() => world.close());

test('a call that waits for more than two minutes until a worker takes it is made once', async () => {
  const title = 'Waits for a worker';
  const author = await createConnectedAuthor(world, DESTINATION);
  const other = await createConnectedAuthor(world, 'blogsite_b');
  const { id } = await publishArticle(world, author, { title });
  const of = { author, id, destination: DESTINATION } as const;
  await waitForState(world, of, 'delivered');
  // After a failure the call is planned first, and waits for the worker afterwards.
  await world.faults([
    buildFault('update', { status: 503, headers: { 'retry-after': '2' } }),
    buildFault('create', { platform: 'blogsite_b', delayMs: TAKEN_MS }),
  ]);
  await publishArticle(world, author, { title }, 'Other words.\n');
  await eventually('the first attempt', async () => (await readDelivery(world, of))?.errorCode === 'unavailable');
  const chosen = { blogsite_a: false, blogsite_b: true };
  await publishArticle(world, other, { title: 'Takes the slot', cross_post: chosen });
  await waitForFaults(world);
  await sleep(TAKEN_MS - 2_000);
  assert.deepEqual(await listActions(world, title), ['create']);
  await passTime(world.api.db, '3 minutes');
  await eventually('the update', async () => (await listActions(world, title)).length > 1);
  await waitForDeliveryEnd(world, id, DESTINATION);
  assert.deepEqual(await listActions(world, title), ['create', 'update']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});
