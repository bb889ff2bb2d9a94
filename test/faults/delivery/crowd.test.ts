/** Deliveries that wait for a blocked account run a bounded number of activities. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Platform } from '../../../destinations/types.ts';
import { countActivities, publishHeldCrowd, shortenWaits } from '../../support/delivery/crowd.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createConnectedAuthor } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

/**
 * The clock of the sandbox, its `Retry-After` and the pacing of the platform run this much faster.
 */
const SPEED = 5;
/** The number of articles. CROWD=600 tests the full size. */
const CROWD = Number(process.env.CROWD ?? 40);
/** Activities of a delivery without waits. */
const PER_POST = 3;
/** Activities per wait: the call with the 429, its record, and a check at the end of the block. */
const PER_WAIT = 3;
const IN_FLIGHT = 8;
/** Most posts wait once. On a slow machine some slots pass unused, and their posts wait again. */
const MAX_WAITS = 1.5;

let world: DeliveryWorld;
before(async () => {
  const start = Date.now();
  world = await startDeliveryWorld({
    pacing: false,
    sandbox: { rateLimits: true, now: () => new Date(start + (Date.now() - start) * SPEED) },
    deps: { findDestination: (platform: Platform) => shortenWaits(platform, SPEED) },
  });
});
after(() => world.close());

test('many deliveries behind one account’s 429, pacing off, use slots: three activities per post and per wait (F33)', async () => {
  const author = await createConnectedAuthor(world);
  const titles = Array.from({ length: CROWD }, (_, index) => `One of a crowd ${index}`);
  const ids = await publishHeldCrowd(world, author, 'blogsite_a', titles);
  await world.connect(author, 'blogsite_a');
  const listDelivered = async () => {
    const rows = world.api.db.selectFrom('deliveryStates').select('articleId').where('articleId', 'in', ids);
    return (await rows.where('state', '=', 'delivered').execute()).map(({ articleId }) => articleId);
  };
  const reach = (count: number) =>
    eventually(`${count} to be sent`, async () => (await listDelivered()).length >= count, {
      withinMs: count * 2_000 + 30_000,
    });
  await reach(CROWD / 2);
  const delivered = await listDelivered();
  const waiting = ids.filter((id) => !delivered.includes(id));
  const whileWaiting = add(await countActivities(world.client, waiting, 'blogsite_a'));
  // Some are in flight or received a 429 themselves.
  const bound = PER_WAIT * waiting.length + PER_POST * IN_FLIGHT;
  assert.ok(whileWaiting <= bound, `${whileWaiting} activities of ${waiting.length} that wait`);

  await reach(CROWD);
  const total = add(await countActivities(world.client, ids, 'blogsite_a'));
  assert.ok(total <= (PER_POST + MAX_WAITS * PER_WAIT) * CROWD, `${total} activities for ${CROWD} posts that waited`);
  const log = (await Promise.all(titles.map((title) => world.log(title)))).flat();
  assert.equal(log.length, CROWD, 'one post each');
  assert.equal((await world.notifications(author)).length, CROWD, 'one event each');
});

function add(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
