/** A crowd of deliveries that wait behind one account's block costs what its members cost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Platform } from '../../destinations/types.ts';
import { PLACES } from '../../store/connections/rate-slots.ts';
import { countActivities, publishHeldCrowd, speedUp } from '../support/crowd.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { createConnectedAuthor } from '../support/publishing.ts';

/** The platform's pacing and its `Retry-After` run this much faster. */
const SPEED = 10;
/** 600 with CROWD=600. */
const CROWD = Number(process.env.CROWD ?? 40);
const PER_POST = 4;
const PER_WAIT = 2;

let world: DeliveryWorld;
before(async () => {
  // The stand-in answers 429 when told to, and else keeps no rates: on a busy machine no test keeps to tenths of a second.
  const deps = { findDestination: (platform: Platform) => speedUp(platform, SPEED) };
  world = await startDeliveryWorld({ pacing: false, deps });
});
after(() => world.close());

test('a crowd behind one account’s 429, pacing off, takes slots behind it: four activities a post, two a wait (F33)', async () => {
  const author = await createConnectedAuthor(world);
  const titles = Array.from({ length: CROWD }, (_, index) => `One of a crowd ${index}`);
  const ids = await publishHeldCrowd(world, author, 'blogsite_a', titles);
  await refuse(PLACES);
  await world.connect(author, 'blogsite_a');
  const listDelivered = async () => {
    const rows = world.api.db.selectFrom('deliveries').select('articleId').where('articleId', 'in', ids);
    return (await rows.where('state', '=', 'delivered').execute()).map(({ articleId }) => articleId);
  };
  const reach = (count: number) =>
    eventually(`${count} to be sent`, async () => (await listDelivered()).length >= count, {
      withinMs: count * 1_000 + 20_000,
    });
  // The budget runs out again and again, each time for all that wait.
  for (const part of [0.2, 0.4, 0.6]) {
    await reach(CROWD * part);
    await refuse(1);
  }
  const delivered = await listDelivered();
  const waiting = ids.filter((id) => !delivered.includes(id));
  const whileWaiting = add(await countActivities(world.client, waiting, 'blogsite_a'));
  assert.ok(whileWaiting <= PER_WAIT * waiting.length, `${whileWaiting} activities of ${waiting.length} that wait`);

  await reach(CROWD);
  const counts = await countActivities(world.client, ids, 'blogsite_a');
  // Those that met a 429 themselves waited.
  const met = PLACES + 3;
  assert.ok(add(counts) <= PER_POST * CROWD + PER_WAIT * met, `${add(counts)} activities for ${CROWD} posts`);
  const log = (await Promise.all(titles.map((title) => world.log(title)))).flat();
  assert.equal(log.length, CROWD, 'one post each');
  assert.equal((await world.notifications(author)).length, CROWD, 'one event each');
});

/** So many creates meet a 429; the account is open again two seconds later. */
function refuse(times: number): Promise<void> {
  const headers = { 'retry-after': String(2 * SPEED) };
  return world.faults([{ platform: 'blogsite_a', action: 'create', status: 429, headers, times }]);
}

function add(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
