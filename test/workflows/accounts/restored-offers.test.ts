/** Tests offers after a restore: nothing is sent or notified by the restore alone (F31, F41). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findDestination } from '../../../destinations/clients.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../../worker/restore.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listOffers } from '../../support/delivery/offers.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import {
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

async function restoreOffered(destination: 'blogsite_a' | 'blogsite_c') {
  const author = await world.api.createAuthor(`offers-${destination}`);
  const fields = { title: `Only offered at ${destination}`, cross_post: { [destination]: true } };
  const { id } = await publishArticle(world, author, fields);
  await world.connect(author, destination);
  const { db, home } = world.api;
  const sealer = await loadSealer({ home, key: undefined });
  const options = { baseUrl: 'https://courant.example', allowPrivate: true, httpTimeoutMs: 5_000 };
  await reconcileAfterRestore({ db, sealer, findDestination, ...options, now: () => new Date() });
  await passTime(db, '30 minutes');
  await sweepStalled(world);
  await waitForOutbox(world);
  assert.deepEqual([await listActions(world, fields.title), await listEvents(world, author)], [[], []]);
  return { author, fields, id };
}

test('at a platform with look-up, an article published before the account was connected remains an offer', async () => {
  const { author, id } = await restoreOffered('blogsite_a');
  const offers = await listOffers(world, author, 'blogsite_a');
  assert.deepEqual(
    offers.map(({ articleId }) => articleId),
    [id],
  );
});

test('at a platform without look-up, such an article is not sent when it is published again, and its author is notified once', async () => {
  const { author, fields, id } = await restoreOffered('blogsite_c');
  await publishArticle(world, author, fields, 'Published again.\n');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  const row = await world.reaches(id, 'blogsite_c', 'unknown');
  assert.match(row.error ?? '', /settleDelivery/);
  assert.deepEqual(await listActions(world, fields.title), []);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
});
