/** A crowd of deliveries that wait behind one account's block costs what its members cost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PLACES } from '../../store/connections/rate-slots.ts';
import { countActivities, speedUp } from '../support/crowd.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { createConnectedAuthor, publishArticle } from '../support/publishing.ts';

/** The stand-in's clock, its `Retry-After` and the platform's pacing run this much faster. */
const SPEED = 10;
/** 600 with CROWD=600. */
const CROWD = Number(process.env.CROWD ?? 40);
const PER_POST = 4;
const PER_WAIT = 2;

let world: DeliveryWorld;
before(async () => {
  const start = Date.now();
  world = await startDeliveryWorld({
    pacing: false,
    sandbox: { rateLimits: true, now: () => new Date(start + (Date.now() - start) * SPEED) },
    deps: { findDestination: (platform) => speedUp(platform, SPEED) },
  });
});
after(() => world.close());

test('a crowd behind one account’s 429, pacing off, takes slots behind it: four activities a post, two a wait (F33)', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const titles = Array.from({ length: CROWD }, (_, index) => `One of a crowd ${index}`);
  const articles = await Promise.all(titles.map((title) => publishArticle(world, author, { title })));
  const ids = articles.map(({ id }) => id);
  const listDelivered = async () => {
    const rows = world.api.db.selectFrom('deliveries').select('articleId').where('articleId', 'in', ids);
    return (await rows.where('state', '=', 'delivered').execute()).map(({ articleId }) => articleId);
  };
  await eventually('some to be sent', async () => (await listDelivered()).length >= CROWD / 4, { withinMs: 60_000 });
  const delivered = await listDelivered();
  const waiting = ids.filter((id) => !delivered.includes(id));
  const whileWaiting = await countActivities(world.client, waiting, 'blogsite_a');
  await eventually('all to be sent', async () => (await listDelivered()).length === CROWD, {
    withinMs: CROWD * 1_000 + 20_000,
  });
  const counts = await countActivities(world.client, ids, 'blogsite_a');
  console.log(JSON.stringify({ whileWaiting, counts }));

  // At most as many as the account has places met the 429 themselves: a send and its record more.
  const total = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(total <= PER_POST * CROWD + PER_WAIT * PLACES, `${total} activities for ${CROWD} posts`);
  assert.ok(Math.max(...counts) <= PER_POST + PER_WAIT, `one had ${Math.max(...counts)} activities`);
  const waitTotal = whileWaiting.reduce((sum, count) => sum + count, 0);
  assert.ok(waitTotal <= PER_WAIT * waiting.length, `${waitTotal} activities of ${waiting.length} that wait`);
  const log = (await Promise.all(titles.map((title) => world.log(title)))).flat();
  assert.equal(log.length, CROWD, 'one post each');
  assert.equal((await world.notifications(author)).length, CROWD, 'one event each');
});
