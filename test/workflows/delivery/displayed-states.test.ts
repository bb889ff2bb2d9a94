/** Tests the displayed state after an article became a draft and beside an unknown attempt. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { visitDesk } from '../../support/api/desk.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForLongPause, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { sweepStalled } from '../../support/delivery/sweep.ts';
import { eventually } from '../../support/eventually.ts';

const DESTINATION = 'blogsite_a';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

/** Publishes with a 429 at the first attempt. */
async function publishLimited(title: string, retryAfter: string) {
  const author = await createConnectedAuthor(world, DESTINATION);
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': retryAfter } })]);
  const { id } = await publishArticle(world, author, { title });
  return { author, id, title, destination: DESTINATION } as const;
}

type Limited = Awaited<ReturnType<typeof publishLimited>>;

const MADE_DRAFT: Record<string, (limited: Limited) => Promise<unknown>> = {
  'published as a draft': ({ author, title }) => publishArticle(world, author, { title, draft: true }),
  unpublished: ({ author, id }) =>
    runGraphql(world.api, author.id, 'mutation ($id: ID!) { unpublishArticle(id: $id) { article { id } } }', { id }),
};

for (const [how, makeDraft] of Object.entries(MADE_DRAFT)) {
  test(`a pending delivery of an article that was ${how} is not shown as pending`, async () => {
    const limited = await publishLimited(`Pending, then ${how}`, '3600');
    await waitForLongPause(world, limited);
    await makeDraft(limited);
    await waitForOutbox(world);
    const desk = await visitDesk(world.api, limited.author.id);
    const { status, text } = await desk.get(`/desk/articles/${limited.id}`);
    const words = [...text.matchAll(/(?<=class="state [^"]*">)[^<]+|Next attempt/g)].map(([word]) => word);
    assert.deepEqual({ status, words }, { status: 200, words: ['Draft', 'Not sent', 'Retried'] });
    await eventually('the plan to be dropped', async () => {
      const delivery = await readDelivery(world, limited);
      return delivery?.nextAttemptAt === null;
    });
    const delivery = await readDelivery(world, limited);
    assert.ok(!['pending', 'delivering'].includes(delivery?.state ?? ''), JSON.stringify(delivery));
    assert.deepEqual(await listActions(world, limited.title), []);
  });
}

test('a publish beside an unknown attempt at Medium notifies its author and sends nothing', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_c');
  const title = 'Unknown at Medium';
  const chosen = { blogsite_a: false, blogsite_b: false, blogsite_c: true };
  await world.faults([buildFault('create', { platform: 'blogsite_c', drop: 'after' })]);
  const { id } = await publishArticle(world, author, { title, cross_post: chosen });
  const of = { author, id, destination: 'blogsite_c' } as const;
  await waitForState(world, of, 'unknown');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  await publishArticle(world, author, { title, cross_post: chosen }, 'Other words.\n');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  await sweepStalled(world);
  assert.equal((await readDelivery(world, of))?.state, 'unknown');
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED', 'CROSS_POST_FAILED']);
});
