/**
 * A change between the plan of an attempt and its record, which can be 20 s apart (terms, a cover,
 * a large text).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import { createFormatPool, type FormatPool } from '../../../destinations/format/pool.ts';
import type { Platform } from '../../../destinations/types.ts';
import { deleteArticle, unpublishArticle } from '../../../store/articles/commands.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { ROWS } from '../../destinations/rows/index.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';

/** Pauses the next formatting until `until` resolves. `reached` is called when the pause starts. */
let nextPause: { reached: () => void; until: Promise<void> } | null = null;
const formats = createFormatPool();
const pausingFormats: FormatPool = {
  async format(...args) {
    const pause = nextPause;
    nextPause = null;
    pause?.reached();
    await pause?.until;
    return formats.format(...args);
  },
  close: async () => undefined,
};

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { formats: pausingFormats } });
});
after(async () => {
  await world.close();
  await formats.close();
});

interface Story {
  author: TestAuthor;
  key: DestinationKey;
  platform: Platform;
  title: string;
  /** Publishes again with another text. */
  edit(): Promise<unknown>;
}

const buildTarget = ({ author, key }: Story, articleId: string) => ({
  authorId: author.id,
  articleId,
  destination: key,
  now: new Date(),
});

/** Changes after which a prepared attempt may not be sent. */
const REVOKING_CHANGES: [what: string, change: (story: Story, articleId: string) => Promise<unknown>][] = [
  ['unpublished', (story, id) => unpublishArticle(world.api.db, buildTarget(story, id))],
  ['deleted', (story, id) => deleteArticle(world.api.db, buildTarget(story, id))],
  ['skipped', (story, id) => skipDelivery(world.api.db, buildTarget(story, id))],
  ['withdrawn', (story, id) => withdrawDelivery(world.api.db, buildTarget(story, id))],
  [
    'published by an author who is suspended meanwhile',
    ({ author }) => sql`update users set suspended_at = now() where id = ${author.id}`.execute(world.api.db),
  ],
];

const PLATFORMS = [
  ['blogsite_a', 'forem'],
  ['blogsite_c', 'medium'],
  ['cms_site', 'wordpress'],
  ['social_feed', 'linkedin'],
] as const;

let stories = 0;
async function begin(
  description: string,
  key: DestinationKey,
  platform: Platform,
): Promise<Story & { publish(): Promise<string> }> {
  const author = await world.api.createAuthor(`prepared-${++stories}`);
  await world.connect(author, key, undefined, platform);
  const title = `${description} at ${platform}`;
  const fields = { title, tags: [`tag${stories}`], cross_post: { blogsite_a: false, blogsite_b: false, [key]: true } };
  const publish = async (body?: string) => (await publishArticle(world, author, fields, body)).id;
  return { author, key, platform, title, publish, edit: () => publish('Edited meanwhile.\n') };
}

/** Runs `change` while the planned attempt is prepared and before it is recorded. */
async function changeBeforeMark(
  story: Story & { publish(): Promise<string> },
  change: (id: string) => Promise<unknown>,
) {
  const reached = Promise.withResolvers<void>();
  const until = Promise.withResolvers<void>();
  nextPause = { reached: reached.resolve, until: until.promise };
  try {
    const id = await story.publish();
    await reached.promise;
    await change(id);
    return id;
  } finally {
    until.resolve();
  }
}

async function reconnect({ author, key, platform }: Story, identity: string | null): Promise<unknown> {
  const row = ROWS.find(({ destination }) => destination.platform === platform);
  assert.ok(row);
  return connectDestination(world.api.db, await loadSealer({ home: world.api.home, key: undefined }), {
    userId: author.id,
    destination: key,
    platform,
    baseUrl: `${world.sandboxUrl}${row.path}`,
    credentials: row.credentials,
    account: { identity: identity ?? author.id, name: identity },
  });
}

async function readAttempts(articleId: string) {
  return world.api.db
    .selectFrom('deliveryAttempts')
    .innerJoin('deliveries', 'deliveries.id', 'deliveryAttempts.deliveryId')
    .innerJoin('accounts', 'accounts.id', 'deliveryAttempts.accountId')
    .select(['accounts.identity', 'deliveryAttempts.outcome'])
    .where('deliveries.articleId', '=', articleId)
    .execute();
}

for (const [key, platform] of PLATFORMS) {
  for (const [description, change] of REVOKING_CHANGES) {
    test(`an article that is ${description} during preparation is not sent to ${platform} (F28)`, async () => {
      const story = await begin(description, key, platform);
      const id = await changeBeforeMark(story, (articleId) => change(story, articleId));
      await waitForDeliveryEnd(world, id, key);
      assert.deepEqual([await listActions(world, story.title), await readAttempts(id)], [[], []]);
    });
  }

  test(`an article that is edited during preparation is sent to ${platform} once, with the edit (F28)`, async () => {
    const story = await begin('edited', key, platform);
    const id = await changeBeforeMark(story, story.edit);
    const row = await world.reaches(id, key, 'delivered');
    assert.equal(row.deliveredRevision, 2);
    assert.deepEqual(await listActions(world, story.title), ['create']);
  });

  test(`a destination that is disconnected during preparation for ${platform} receives nothing (F28)`, async () => {
    const story = await begin('disconnected', key, platform);
    const id = await changeBeforeMark(story, () => disconnectDestination(world.api.db, story.author.id, key));
    await world.reaches(id, key, 'held');
    assert.deepEqual(await listActions(world, story.title), []);
  });

  test(`reconnected with another key during preparation, ${platform} receives it once, over the new connection (F28)`, async () => {
    const story = await begin('reconnected with another key', key, platform);
    const id = await changeBeforeMark(story, () => reconnect(story, null));
    await world.reaches(id, key, 'delivered');
    assert.deepEqual(await listActions(world, story.title), ['create']);
    assert.equal((await readAttempts(id)).length, 1);
  });

  test(`reconnected to another account during preparation, ${platform} receives nothing by itself (F27, F28)`, async () => {
    const story = await begin('reconnected to another account', key, platform);
    const id = await changeBeforeMark(story, () => reconnect(story, 'another account'));
    await waitForDeliveryEnd(world, id, key);
    assert.deepEqual([await listActions(world, story.title), await readAttempts(id)], [[], []]);
  });
}

test('a post with slow terms at WordPress is not created if its article is unpublished meanwhile (F28)', async () => {
  const story = await begin('slow terms', 'cms_site', 'wordpress');
  await world.faults([buildFault('prepare', { platform: 'cms_site', delayMs: 1_200 })]);
  const id = await story.publish();
  await waitForFaults(world);
  await unpublishArticle(world.api.db, buildTarget(story, id));
  await waitForOutbox(world, id);
  await waitForDeliveryEnd(world, id, 'cms_site');
  assert.deepEqual(await listActions(world, story.title), []);
});
