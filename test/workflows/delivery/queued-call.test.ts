/** Tests a planned call that waits for a worker longer than a call can last. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import {
  buildFault,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

const DESTINATION = 'blogsite_a';
/** How long another call occupies the worker's only slot. */
const OCCUPIED_MS = 8_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ pacing: true, deliverySlots: 1, deps: { httpTimeoutMs: OCCUPIED_MS + 4_000 } });
});
after(() => world.close());

test('a call that waits more than two minutes for a worker is made once', async () => {
  const title = 'Waits for a worker';
  const author = await createConnectedAuthor(world, DESTINATION);
  const other = await createConnectedAuthor(world, 'blogsite_b');
  const { id } = await publishArticle(world, author, { title });
  const of = { author, id, destination: DESTINATION } as const;
  await waitForState(world, of, 'delivered');
  // After a failure the call is planned separately, and then waits for the worker. The pause is
  // long enough for the other call to begin, and shorter than it.
  await world.faults([
    buildFault('update', { status: 503, headers: { 'retry-after': '4' } }),
    buildFault('create', { platform: 'blogsite_b', delayMs: OCCUPIED_MS }),
  ]);
  await publishArticle(world, author, { title }, 'Other words.\n');
  await eventually('the first attempt', async () => (await readDelivery(world, of))?.errorCode === 'unavailable');
  const chosen = { blogsite_a: false, blogsite_b: true };
  await publishArticle(world, other, { title: 'Takes the slot', cross_post: chosen });
  await waitForFaults(world);
  await sleep(OCCUPIED_MS - 2_000);
  assert.deepEqual(await listActions(world, title), ['create']);
  await passTime(world.api.db, '3 minutes');
  await eventually('the update', async () => (await listActions(world, title)).length > 1);
  await waitForDeliveryEnd(world, id, DESTINATION);
  assert.deepEqual(await listActions(world, title), ['create', 'update']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});
