/** The fault table at the other platforms: those that are asked, those that are asked by repeating, and the one that cannot be asked. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DestinationKey } from '../../article/types.ts';
import { destinationFor } from '../../destinations/registry.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { destinationFor: impatient } });
});
after(() => world.close());

/** As it is, but nobody waits a minute before the repeat. */
function impatient(platform: Platform): Destination | null {
  const destination = destinationFor(platform);
  if (!destination?.limits.repeat) return destination;
  return { ...destination, limits: { ...destination.limits, repeat: { ...destination.limits.repeat, afterMs: 300 } } };
}

let authors = 0;
async function publish(title: string, key: DestinationKey, platform: Platform, faults: Fault[]) {
  const author = await world.api.createAuthor(`platform-${++authors}`);
  await world.connect(author, key, undefined, platform);
  await world.faults(faults);
  const content = markdown({ title, cross_post: { blogsite_a: false, blogsite_b: false, [key]: true } });
  const { body } = await world.api.publish({ content }, { token: author.token });
  return { author, id: body.data?.id ?? '', again: () => world.api.publish({ content }, { token: author.token }) };
}

const creates = async (title: string) => (await world.log(title)).filter(({ action }) => action === 'create').length;
const events = async (author: TestAuthor) => (await world.notifications(author)).map(({ type }) => type);

const FAULTS: [string, Omit<Fault, 'platform' | 'action' | 'times'>][] = [
  ['cut off after the remote create (F2)', { drop: 'after' }],
  ['timed out having created the post (F9)', { delayMs: 3_000 }],
];

for (const [key, platform] of [
  ['cms_site', 'wordpress'],
  ['cms_site', 'ghost'],
  ['social_feed', 'linkedin'],
] as const) {
  describe(platform, () => {
    for (const [what, fault] of FAULTS) {
      test(`${what}, exactly one post and one event: 1/1`, async () => {
        const title = `${what} at ${platform}`.replace(':', '');
        const { author, id } = await publish(title, key, platform, [
          { platform: key, action: 'create', times: 1, ...fault },
        ]);
        await world.reaches(id, key, 'delivered', 30_000);
        assert.equal(await creates(title), 1);
        assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS']);
      });
    }

    test('cut off before anything was made, the post is made once: 1/1 (F1)', async () => {
      const title = `Cut before at ${platform}`;
      const fault: Fault = { platform: key, action: 'create', times: 1, drop: 'before' };
      const { author, id } = await publish(title, key, platform, [fault]);
      await world.reaches(id, key, 'delivered', 40_000);
      assert.equal(await creates(title), 1);
      assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS']);
    });
  });
}

test('a WordPress that refuses and has saved the post all the same is looked at: 1/1 (F10)', async () => {
  const fault: Fault = { platform: 'cms_site', action: 'create', times: 1, status: 400, saved: true };
  const { author, id } = await publish('Partly created', 'cms_site', 'wordpress', [fault]);
  await world.reaches(id, 'cms_site', 'delivered', 30_000);
  assert.equal(await creates('Partly created'), 1);
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS']);
});

test('LinkedIn answers neither request: sent once more, then unknown, and never again by itself (F3)', async () => {
  const title = 'Silent twice';
  const fault: Fault = { platform: 'social_feed', action: 'create', times: 2, drop: 'after' };
  const { author, id, again } = await publish(title, 'social_feed', 'linkedin', [fault]);
  await world.reaches(id, 'social_feed', 'unknown');
  assert.equal(await creates(title), 1);
  assert.deepEqual(await events(author), ['CROSS_POST_FAILED']);
  await again();
  await eventually('the publish to be looked at', async () => {
    const { handledDispatch } = await ledgerOf(id);
    return handledDispatch === 2;
  });
  assert.equal(await creates(title), 1);
  assert.deepEqual(await events(author), ['CROSS_POST_FAILED']);
});

for (const [what, drop] of [
  ['after', 'after'],
  ['before', 'before'],
] as const) {
  test(`Medium cut off ${what} the create is unknown, and its author is told what to do (F3)`, async () => {
    const title = `Medium cut ${what}`;
    const fault: Fault = { platform: 'blogsite_c', action: 'create', times: 1, drop };
    const { author, id, again } = await publish(title, 'blogsite_c', 'medium', [fault]);
    const row = await world.reaches(id, 'blogsite_c', 'unknown');
    assert.match(row.lastError ?? '', /settleDelivery/);
    const made = drop === 'after' ? 1 : 0;
    assert.equal(await creates(title), made);
    await again();
    await eventually('the publish to be looked at', async () => (await ledgerOf(id)).handledDispatch === 2);
    assert.equal(await creates(title), made, 'never a blind second create');
    assert.deepEqual(await events(author), ['CROSS_POST_FAILED']);
  });
}

test('Medium cannot change a post: published again with other content, the copy stays, and the ledger says so', async () => {
  const { author, id } = await publish('Unchangeable', 'blogsite_c', 'medium', []);
  await world.reaches(id, 'blogsite_c', 'delivered');
  const content = markdown(
    { title: 'Unchangeable', cross_post: { blogsite_a: false, blogsite_b: false, blogsite_c: true } },
    'Other.\n',
  );
  await world.api.publish({ content }, { token: author.token });
  const row = await world.reaches(id, 'blogsite_c', 'stale');
  assert.equal(row.lastErrorCode, 'cannot_update');
  assert.deepEqual(
    (await world.log('Unchangeable')).map(({ action }) => action),
    ['create'],
  );
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS']);
});

test('Back to a draft, a post at Medium stays live and its author is told; one at LinkedIn is deleted', async () => {
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
      assert.equal(row.lastErrorCode, 'cannot_withdraw');
      assert.match(row.lastError ?? '', /stays live/);
    } else {
      await eventually('it to be deleted', async () => (await ledgerOf(id)).withdrawnAt !== null);
      assert.deepEqual(
        (await world.log(title)).map(({ action }) => action),
        ['create', 'withdraw'],
      );
    }
  }
});

function ledgerOf(articleId: string) {
  return world.api.db
    .selectFrom('deliveries')
    .select(['handledDispatch', 'withdrawnAt'])
    .where('articleId', '=', articleId)
    .executeTakeFirstOrThrow();
}
