/** Tests two articles with one canonical URL at an account that has a post with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { sendArticles } from '../../support/delivery/offers.ts';
import { buildFault, publishArticle, waitForOutbox } from '../../support/delivery/publishing.ts';
import { readDelivery } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('both deliveries end when they find the same post concurrently', async () => {
  const author = await world.api.createAuthor('same-url');
  const canonicalUrl = 'https://blog.example/one-text';
  const post = { title: 'By hand', body_markdown: 'Words.', published: true, canonical_url: canonicalUrl };
  const answer = await fetch(`${world.sandboxUrl}/forem/api/articles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': DEMO_FOREM_KEY },
    body: JSON.stringify({ article: post }),
  });
  assert.ok(answer.ok, await answer.text());
  const ids: string[] = [];
  for (const language of ['de', 'en']) {
    const fields = { id: `text-${language}`, title: `Text ${language}`, canonical_url: canonicalUrl };
    ids.push((await publishArticle(world, author, fields)).id);
  }
  await waitForOutbox(world);
  await sql`update articles set created_at = now() - interval '1 day' where author_id = ${author.id}`.execute(
    world.api.db,
  );
  await world.connect(author, 'blogsite_a');
  await world.faults([buildFault('find', { times: 2, delayMs: 1_000 })]);
  assert.equal((await sendArticles(world, author, 'blogsite_a', ids)).length, 2);
  const readStates = () =>
    Promise.all(
      ids.map(async (id) => (await readDelivery(world, { author, id, destination: 'blogsite_a' }))?.state ?? ''),
    );
  const areOver = (states: string[]) => states.every((state) => ['delivered', 'failed'].includes(state));
  await eventually('both to end', async () => areOver(await readStates()));
  assert.ok((await readStates()).includes('delivered'));
});
