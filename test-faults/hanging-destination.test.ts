/** A destination that accepts requests and never answers delays its own deliveries, and nobody else's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PLACES } from '../store/connections/rate-slots.ts';
import { publishHeldCrowd } from '../test/support/crowd.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../test/support/delivery.ts';
import { eventually } from '../test/support/eventually.ts';
import { createConnectedAuthor, publishArticle } from '../test/support/publishing.ts';

/** 300, the worker's slots, with HANGING=300. */
const HANGING = Number(process.env.HANGING ?? 40);
const HTTP_TIMEOUT_MS = 40_000;

let world: DeliveryWorld;
before(async () => {
  const deps = { httpTimeoutMs: HTTP_TIMEOUT_MS };
  // As many deliveries as the worker has slots for, as with 300 of each.
  world = await startDeliveryWorld({ pacing: false, deps, deliverySlots: HANGING });
});
after(() => world.close());

test('under a crowd at a WordPress that never answers, another author’s delivery that begins later ends first (F34)', async () => {
  const crowd = await createConnectedAuthor(world);
  const other = await createConnectedAuthor(world, 'blogsite_a');
  const titles = Array.from({ length: HANGING }, (_, index) => `Hangs ${index}`);
  await publishHeldCrowd(world, crowd, 'cms_site', titles);
  await world.faults([{ platform: 'cms_site', action: 'any', times: 100_000, delayMs: 600_000 }]);
  await world.connect(crowd, 'cms_site');
  await eventually('calls that hang', async () => (await listCalls(crowd.id)).length >= Math.min(PLACES, HANGING), {
    withinMs: 60_000,
  });

  const begun = Date.now();
  const { id } = await publishArticle(world, other, { title: 'Not delayed' });
  await world.reaches(id, 'blogsite_a', 'delivered', 35_000);
  const tookMs = Date.now() - begun;
  const ended = await world.api.db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select('deliveries.id')
    .where('articles.authorId', '=', crowd.id)
    .where('deliveries.errorCode', 'is not', null)
    .execute();
  assert.equal(ended.length, 0, `${ended.length} ended before it, which took ${tookMs} ms`);
  assert.ok((await listCalls(crowd.id)).length <= PLACES, 'the calls over one connection are bounded');
});

/** The crowd's calls that are under way. */
function listCalls(authorId: string) {
  return world.api.db
    .selectFrom('rateSlots')
    .innerJoin('connections', 'connections.id', 'rateSlots.connectionId')
    .select('deliveryId')
    .where('connections.userId', '=', authorId)
    .where('callingUntil', '>', new Date())
    .execute();
}
