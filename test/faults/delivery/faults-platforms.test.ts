/**
 * Tests creates of unknown outcome at platforms with a look-up, with a repeat, and with neither.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import type { Platform } from '../../../destinations/types.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  findImpatientDestination,
  listPlatforms,
  publishEverywhere,
} from '../../support/delivery/platforms.ts';
import { buildFault, countCreates, listActions, listEvents } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: findImpatientDestination } });
});
after(() => world.close());

let authors = 0;
async function publish(title: string, key: DestinationKey, platform: Platform, faults: Fault[]) {
  const author = await world.api.createAuthor(`platform-${++authors}`);
  await world.connect(author, key, undefined, platform);
  await world.faults(faults);
  const content = markdown({ title, cross_post: { blogsite_a: false, blogsite_b: false, [key]: true } });
  const { body } = await world.api.publish({ content }, { token: author.token });
  return { author, id: body.data?.id ?? '', again: () => world.api.publish({ content }, { token: author.token }) };
}

/**
 * Platforms that can resolve an unknown create: by a look-up, or at LinkedIn by an identical
 * repeat.
 */
const RESOLVABLE = listPlatforms(({ destination: { limits } }) => limits.canFind || limits.repeat !== null);
const SAVE_REFUSED = listPlatforms(({ canSaveRefusedPost }) => canSaveRefusedPost);

for (const [what, code, fault] of [
  ['a connection lost before the create', 'F1', { drop: 'before' }],
  ['a connection lost after the create', 'F2', { drop: 'after' }],
  ['a time-out after the create', 'F9', { delayMs: 5_000 }],
] as const) {
  test(`${what} ends in one post and one event at each platform with a look-up or a repeat (${code})`, async () => {
    const published = await publishEverywhere(world, what, RESOLVABLE, () => ({ action: 'create', ...fault }));
    await assertOneEach(world, published);
  });
}

test('a post that is rejected but saved is looked up and adopted, with one event at each platform (F10)', async () => {
  const published = await publishEverywhere(world, 'Refused and saved', SAVE_REFUSED, ({ row }) => ({
    action: 'create',
    saved: true,
    ...row.refusal('Refused, it says'),
  }));
  await assertOneEach(world, published);
});

test('an unanswered request and repeat at LinkedIn have an unknown outcome, and nothing more is sent (F3)', async () => {
  const title = 'No response twice';
  const fault = buildFault('create', { platform: 'social_feed', times: 2, drop: 'after' });
  const { author, id, again } = await publish(title, 'social_feed', 'linkedin', [fault]);
  await world.reaches(id, 'social_feed', 'unknown');
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  await again();
  await waitForPublish(id, 2);
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ONE_EACH_PUBLISH);
});

const ONE_EACH_PUBLISH = ['CROSS_POST_FAILED', 'CROSS_POST_FAILED'];

for (const drop of ['after', 'before'] as const) {
  test(`a connection lost ${drop} the create at Medium has an unknown outcome, and the reason names the remedy (F3)`, async () => {
    const title = `Medium cut ${drop}`;
    const fault = buildFault('create', { platform: 'blogsite_c', drop });
    const { author, id, again } = await publish(title, 'blogsite_c', 'medium', [fault]);
    const row = await world.reaches(id, 'blogsite_c', 'unknown');
    assert.match(row.error ?? '', /settleDelivery/);
    const made = drop === 'after' ? 1 : 0;
    assert.equal(await countCreates(world, title), made);
    await again();
    await waitForPublish(id, 2);
    assert.equal(await countCreates(world, title), made, 'no second create without a look-up');
    assert.deepEqual(await listEvents(world, author), ONE_EACH_PUBLISH);
  });
}

test('a publish of other content does not update a post at Medium, and the ledger records that', async () => {
  const { author, id } = await publish('Unchangeable', 'blogsite_c', 'medium', []);
  await world.reaches(id, 'blogsite_c', 'delivered');
  const content = markdown(
    { title: 'Unchangeable', cross_post: { blogsite_a: false, blogsite_b: false, blogsite_c: true } },
    'Other.\n',
  );
  await world.api.publish({ content }, { token: author.token });
  await waitForPublish(id, 2);
  const row = await world.reaches(id, 'blogsite_c', 'stale');
  assert.equal(row.errorCode, 'cannot_update');
  assert.deepEqual(await listActions(world, 'Unchangeable'), ['create']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS']);
});

test('the post of a draft remains live at Medium with a warning, and is deleted at LinkedIn', async () => {
  for (const [key, platform] of [
    ['blogsite_c', 'medium'],
    ['social_feed', 'linkedin'],
  ] as const) {
    const title = `Taken back at ${platform}`;
    const { author, id } = await publish(title, key, platform, []);
    await world.reaches(id, key, 'delivered');
    const content = markdown({ title, draft: true, cross_post: { blogsite_a: false, blogsite_b: false, [key]: true } });
    const { body } = await world.api.publish({ content }, { token: author.token });
    assert.ok(body.warnings?.some(({ code }) => code === 'remote_copy_live'));
    if (platform === 'medium') {
      const row = await world.reaches(id, key, 'failed');
      assert.equal(row.errorCode, 'cannot_withdraw');
      assert.match(row.error ?? '', /stays live/);
    } else {
      await eventually('the withdrawal', async () => (await readDelivery(id)).withdrawnAt !== null);
      assert.deepEqual(await listActions(world, title), ['create', 'withdraw']);
    }
  }
});

/** Resolves when this dispatch (from 1) has an outcome. */
function waitForPublish(articleId: string, dispatch: number): Promise<true> {
  return eventually('the publish to be handled', async () => {
    const { handledDispatch } = await readDelivery(articleId);
    return handledDispatch === dispatch;
  });
}

function readDelivery(articleId: string) {
  return world.api.db
    .selectFrom('deliveryStates')
    .select(['handledDispatch', 'withdrawnAt'])
    .where('articleId', '=', articleId)
    .where('deliveryId', 'is not', null)
    .executeTakeFirstOrThrow();
}
