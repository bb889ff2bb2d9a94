/** A destination that accepts requests and never responds delays only its own deliveries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { publishHeldCrowd } from '../../support/delivery/crowd.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createConnectedAuthor, publishArticle } from '../../support/delivery/publishing.ts';

/** HANGING=300 uses as many as a worker has slots by default. */
const HANGING = Number(process.env.HANGING ?? 40);
const HTTP_TIMEOUT_MS = 10_000;
const { intervalMs, burst } = wordpress.limits.pacing;

let world: DeliveryWorld;
before(async () => {
  const deps = { httpTimeoutMs: HTTP_TIMEOUT_MS };
  // As many worker slots as deliveries, in the proportion of 300 to 300.
  world = await startDeliveryWorld({ pacing: true, deps, deliverySlots: HANGING });
});
after(() => world.close());

test('beside many deliveries to a WordPress that never responds, another author’s later delivery is not delayed (F34)', async () => {
  const crowd = await createConnectedAuthor(world);
  const other = await createConnectedAuthor(world, 'blogsite_a');
  const titles = Array.from({ length: HANGING }, (_, index) => `Hangs ${index}`);
  await publishHeldCrowd(world, crowd, 'cms_site', titles);
  await world.faults([{ platform: 'cms_site', action: 'any', times: 100_000, delayMs: 600_000 }]);
  const connected = Date.now();
  await world.connect(crowd, 'cms_site');
  // The first ones have timed out and are looked up while others begin.
  for (const afterMs of [1.5 * HTTP_TIMEOUT_MS, 3 * HTTP_TIMEOUT_MS]) {
    await sleep(connected + afterMs - Date.now());
    const calls = await countCalls(crowd.id);
    const paced = burst + (Date.now() - connected) / intervalMs;
    assert.ok(calls > burst && calls <= paced + 1, `${calls} calls have begun`);
    const { id } = await publishArticle(world, other, { title: `Not delayed after ${afterMs} ms` });
    await world.reaches(id, 'blogsite_a', 'delivered', HTTP_TIMEOUT_MS);
  }
});

test('beside many deliveries to a Hashnode that never responds and allows a fast rate, another author’s is not delayed (F34)', async () => {
  const crowd = await createConnectedAuthor(world);
  const other = await createConnectedAuthor(world, 'blogsite_a');
  const titles = Array.from({ length: 2 * HANGING }, (_, index) => `Hangs fast ${index}`);
  await publishHeldCrowd(world, crowd, 'blogsite_b', titles);
  await world.faults([{ platform: 'blogsite_b', action: 'any', times: 100_000, delayMs: 600_000 }]);
  await world.connect(crowd, 'blogsite_b');
  for (const round of [1, 2, 3]) {
    await sleep(HTTP_TIMEOUT_MS * 0.8);
    const { id } = await publishArticle(world, other, { title: `Not delayed in round ${round}` });
    await world.reaches(id, 'blogsite_a', 'delivered', HTTP_TIMEOUT_MS / 2);
  }
});

/** Counts the attempts of this author. */
async function countCalls(authorId: string): Promise<number> {
  const rows = world.api.db
    .selectFrom('deliveryAttempts')
    .innerJoin('accounts', 'accounts.id', 'deliveryAttempts.accountId')
    .select('deliveryAttempts.deliveryId')
    .where('accounts.userId', '=', authorId);
  return (await rows.execute()).length;
}
