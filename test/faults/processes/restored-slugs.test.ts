/** Tests a restore from before a slug edit: the copy's canonical URL differs from the ledger's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../../worker/restore.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { createBackup } from '../../support/database/backup.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFaultAt,
  createAuthorAt,
  findImpatientDestination,
  listPlatforms,
  type PlatformCase,
} from '../../support/delivery/platforms.ts';
import {
  countCreates,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForPause,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForState } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

/** Long enough to take the backup while the first attempts wait. */
const PAUSE_S = 10;
/** Longer than a delivery on a busy machine, and shorter than the wait for the title. */
const WITHIN_MS = 60_000;

interface Story extends PlatformCase {
  author: TestAuthor;
  title: string;
  /** When the backup is taken. */
  moment: 'before its create' | 'after its create';
  /** The slug of the publish after the restore: as in the backup, or as edited. */
  slug: 'former' | 'edited';
  id: string;
}

const CASES = listPlatforms(({ destination: { limits } }) => limits.canFind).flatMap((one) =>
  (['before its create', 'after its create'] as const).flatMap((moment) =>
    (['former', 'edited'] as const).map((slug) => ({ ...one, moment, slug })),
  ),
);

let world: DeliveryWorld;
let stories: Story[] = [];
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: findImpatientDestination } });
  await restoreWithEditedSlugs();
});
after(() => world.close());

async function restoreWithEditedSlugs(): Promise<void> {
  const begun = await Promise.all(
    CASES.map(async (one) => {
      const title = `Backup ${one.moment}, republished with the ${one.slug} slug, at ${one.platform}`;
      return { ...one, title, author: await createAuthorAt(world, one), id: '' };
    }),
  );
  const isLate = ({ moment }: Story) => moment === 'before its create';
  stories = await Promise.all(
    begun.filter((one) => !isLate(one)).map(async (one) => ({ ...one, id: await publish(one, 'former', 'One.\n') })),
  );
  await Promise.all(stories.map((one) => waitForCopy(one)));

  const late = begun.filter(isLate);
  const headers = { 'retry-after': String(PAUSE_S) };
  await world.faults(late.map((one) => buildFaultAt(one, { action: 'create', status: 429, headers })));
  stories.push(
    ...(await Promise.all(
      late.map(async (one) => {
        const id = await publish(one, 'former', 'One.\n');
        await waitForPause(world, id, one.key);
        return { ...one, id };
      }),
    )),
  );
  const backup = await createBackup(world.api.db);

  await Promise.all(stories.filter(isLate).map((one) => waitForCopy(one)));
  // WordPress times have a resolution of one second.
  await sleep(1_100);
  await Promise.all(stories.map((one) => publish(one, 'edited', 'Two.\n')));
  await Promise.all(
    stories.map(async (one) => {
      await eventually(`the update of ${one.title}`, async () =>
        (await listActions(world, one.title)).includes('update'),
      );
      await waitForCopy(one);
    }),
  );
  await backup.restore();
  await reconcile();
}

async function publish({ author, title, key }: Story, slug: Story['slug'], text: string): Promise<string> {
  const name = title.toLowerCase().replaceAll(/[ ,]+/g, '-');
  const selected = { blogsite_a: false, blogsite_b: false, [key]: true };
  const document = { id: name, title, slug: `${slug}-${name}`, cross_post: selected };
  return (await publishArticle(world, author, document, text)).id;
}

async function waitForCopy({ author, id, key }: Story): Promise<void> {
  await waitForState(world, { author, id, destination: key }, 'delivered');
  await waitForDeliveryEnd(world, id, key);
}

async function reconcile(): Promise<void> {
  const { db, home, url } = world.api;
  await reconcileAfterRestore({
    db,
    sealer: await loadSealer({ home, key: undefined }),
    baseUrl: `http://localhost:${new URL(url).port}`,
    findDestination: findImpatientDestination,
    allowPrivate: true,
    httpTimeoutMs: 5_000,
    now: () => new Date(),
  });
}

for (const { platform, moment, slug } of CASES) {
  test(`${platform}: an article with a slug edited after the backup, restored to ${moment} and published with its ${slug} slug, has one post (F43)`, async () => {
    const story = stories.find((one) => one.platform === platform && one.moment === moment && one.slug === slug);
    assert.ok(story);
    await publish(story, slug, 'Three.\n');
    // Forem rejects a recently used title: a second create would wait for five minutes.
    const late = sleep(WITHIN_MS, undefined, { ref: false });
    await Promise.race([waitForDeliveryEnd(world, story.id, story.key), late]);
    assert.equal(await countCreates(world, story.title), 1);
    const delivery = await readDelivery(world, { author: story.author, id: story.id, destination: story.key });
    assert.ok(delivery?.remoteUrl, JSON.stringify(delivery));
  });
}
