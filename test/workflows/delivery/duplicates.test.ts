/** Tests LinkedIn's rejection of duplicates, which can name a post written by a person. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEMO_LINKEDIN_PERSON, DEMO_LINKEDIN_TOKEN } from '../../../sandbox/app.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('a post written by a person that LinkedIn reports as a duplicate is named, but not adopted or deleted', async () => {
  const title = 'Posted by hand as well';
  const author = await world.api.createAuthor('by-hand');
  await world.connect(author, 'social_feed');
  const urn = await postByHand('Words of a person.');
  const description = `Content is a duplicate of ${urn}`;
  const body = { errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST', description }] }, status: 422 };
  await world.faults([{ platform: 'social_feed', action: 'create', times: 1, status: 422, body }]);
  const publish = (status: string) =>
    world.api.publish(
      { content: markdown({ title, status, cross_post: { blogsite_a: false, blogsite_b: false, social_feed: true } }) },
      { token: author.token },
    );
  const { body: published } = await publish('PUBLISHED');
  const row = await world.reaches(published.data?.id ?? '', 'social_feed', 'failed');
  assert.equal(row.remoteUrl, null);
  const events = await world.notifications(author);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['CROSS_POST_FAILED'],
  );
  assert.ok(JSON.stringify(events[0]?.payload).includes(urn), JSON.stringify(events[0]));
  await publish('DRAFT');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal((await fetch(`${world.sandboxUrl}/linkedin/feed/update/${urn}/`)).status, 200);
  assert.deepEqual(await world.log(title), []);
});

async function postByHand(commentary: string): Promise<string> {
  const answer = await fetch(`${world.sandboxUrl}/linkedin/rest/posts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${DEMO_LINKEDIN_TOKEN}`,
      'content-type': 'application/json',
      'linkedin-version': '202608',
      'x-restli-protocol-version': '2.0.0',
    },
    body: JSON.stringify({
      author: `urn:li:person:${DEMO_LINKEDIN_PERSON}`,
      commentary,
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    }),
  });
  assert.equal(answer.status, 201, await answer.text());
  return answer.headers.get('x-restli-id') ?? '';
}
