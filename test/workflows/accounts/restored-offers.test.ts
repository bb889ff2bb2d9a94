/** Tests that offers remain offers after a restore, without a send or a notification (F31, F41). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findDestination } from '../../../destinations/clients.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../../worker/restore.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { listOffers } from '../../support/delivery/offers.ts';
import { passTime } from '../../support/delivery/pass-time.ts';
import { listActions, listEvents, publishArticle, waitForOutbox } from '../../support/delivery/publishing.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

for (const [destination, platform] of [
  ['blogsite_a', 'forem'],
  ['blogsite_c', 'medium'],
] as const) {
  test(`${platform}: an article published before the account was connected remains an offer`, async () => {
    const author = await world.api.createAuthor(`offers-${platform}`);
    const title = `Only offered at ${platform}`;
    const { id } = await publishArticle(world, author, { title, cross_post: { [destination]: true } });
    await world.connect(author, destination);
    const { db, home } = world.api;
    const sealer = await loadSealer({ home, key: undefined });
    const options = { baseUrl: 'https://courant.example', allowPrivate: true, httpTimeoutMs: 5_000 };
    await reconcileAfterRestore({ db, sealer, findDestination, ...options, now: () => new Date() });
    await passTime(db, '30 minutes');
    await sweepStalled(world);
    await waitForOutbox(world);
    assert.deepEqual([await listActions(world, title), await listEvents(world, author)], [[], []]);
    const offers = await listOffers(world, author, destination);
    assert.deepEqual(
      offers.map(({ articleId }) => articleId),
      [id],
    );
  });
}
