/** The database is restored from a backup that is older than some deliveries. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import type { Platform } from '../../../destinations/types.ts';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { settleDelivery } from '../../../store/deliveries/commands.ts';
import { enqueueArticle } from '../../../store/outbox/enqueue.ts';
import { beginRestore, finishRestore } from '../../../store/restores/restore.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../../worker/restore.ts';
import { type Backup, createBackup } from '../../support/database/backup.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  countCreates,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForFaults,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

let authors = 0;
async function begin(titlePrefix: string, key: DestinationKey, platform: Platform) {
  const author = await world.api.createAuthor(`restored-${++authors}`);
  await world.connect(author, key, undefined, platform);
  const title = `${titlePrefix} at ${platform}`;
  const fields = { title, cross_post: { blogsite_a: false, blogsite_b: false, [key]: true } };
  const publish = async (body?: string) => (await publishArticle(world, author, fields, body)).id;
  return { author, title, key, publish };
}

/**
 * Publishes and delivers an article. The backup precedes the attempt record, and has the article
 * with an age of one hour.
 */
async function deliverAfterBackup(story: Awaited<ReturnType<typeof begin>>): Promise<{ id: string; backup: Backup }> {
  const { db } = world.api;
  const published = await db.transaction().execute(async (tx) => {
    await sql`select 1 from connections where user_id = ${story.author.id} for update`.execute(tx);
    const id = await story.publish();
    await waitForLock(db);
    await sql`update articles set created_at = now() - interval '1 hour' where id = ${id}`.execute(db);
    return { id, backup: await createBackup(db) };
  });
  await world.reaches(published.id, story.key, 'delivered');
  await waitForDeliveryEnd(world, published.id, story.key);
  return published;
}

/** Signals the article's workflow, as a publish or the search for stalled deliveries does. */
const enqueue = (articleId: string) => world.api.db.transaction().execute((tx) => enqueueArticle(tx, articleId));

async function reconcile() {
  const { db, home, url } = world.api;
  const { reports } = await reconcileAfterRestore({
    db,
    sealer: await loadSealer({ home, key: undefined }),
    baseUrl: `http://localhost:${new URL(url).port}`,
    findDestination,
    allowPrivate: true,
    httpTimeoutMs: 5_000,
    now: () => new Date(),
  });
  return reports;
}

const FINDABLE = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
  ['cms_site', 'wordpress'],
  ['cms_site', 'ghost'],
] as const;
const WITHOUT_LOOK_UP = [
  ['blogsite_c', 'medium'],
  ['social_feed', 'linkedin'],
] as const;

for (const [key, platform] of FINDABLE) {
  test(`restored to before its delivery, an article is not posted to ${platform} a second time (F31)`, async () => {
    const story = await begin('Restored', key, platform);
    const { id, backup } = await deliverAfterBackup(story);
    await backup.restore();
    await enqueue(id);
    await world.reaches(id, key, 'delivered');
    assert.equal(await countCreates(world, story.title), 1);
    assert.deepEqual(await listEvents(world, story.author), ['CROSS_POST_SUCCESS']);
  });

  test(`restored to during its create, an article is not posted to ${platform} a second time (F31)`, async () => {
    const story = await begin('Restored in the middle', key, platform);
    await world.faults([buildFault('create', { platform: key, delayMs: 1_000 })]);
    const id = await story.publish();
    await waitForFaults(world);
    const backup = await createBackup(world.api.db);
    await world.reaches(id, key, 'delivered');
    await waitForDeliveryEnd(world, id, key);
    await backup.restore();
    await enqueue(id);
    await world.reaches(id, key, 'delivered', 30_000);
    assert.equal(await countCreates(world, story.title), 1);
    assert.deepEqual(await listEvents(world, story.author), ['CROSS_POST_SUCCESS']);
  });
}

for (const [key, platform] of WITHOUT_LOOK_UP) {
  test(`after “npm run restore” a possible post at ${platform} is left to its author, who is notified once (F31)`, async () => {
    const story = await begin('Restored', key, platform);
    const { id, backup } = await deliverAfterBackup(story);
    await backup.restore();
    const reports = await reconcile();
    assert.ok(
      reports.some(({ delivery, finding }) => delivery.articleId === id && finding.kind === 'marked for author'),
    );
    await reconcile();
    await enqueue(id);
    await waitForDeliveryEnd(world, id, key);
    const row = await world.reaches(id, key, 'unknown');
    assert.match(row.error ?? '', /backup/);
    assert.deepEqual(await listActions(world, story.title), ['create']);
    assert.deepEqual(await listEvents(world, story.author), ['CROSS_POST_FAILED']);

    const target = { authorId: story.author.id, articleId: id, destination: key, now: new Date() };
    const finding = { remoteId: 'there', url: 'https://there.example/there' };
    await settleDelivery(world.api.db, target, { finding, canUpdate: false });
    await world.reaches(id, key, 'delivered');
  });
}

test('“npm run restore” adopts posts created after the backup, lists posts changed after it, and can be repeated (F31)', async () => {
  const createdAfter = await begin('Made after the backup', 'blogsite_a', 'forem');
  const changed = await begin('Changed after the backup', 'cms_site', 'wordpress');
  const changedId = await changed.publish();
  await world.reaches(changedId, 'cms_site', 'delivered');
  await waitForDeliveryEnd(world, changedId, 'cms_site');
  const { id, backup } = await deliverAfterBackup(createdAfter);
  // WordPress has times in seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await changed.publish('Newer words.\n');
  await eventually('the update', async () => (await listActions(world, changed.title)).includes('update'));
  await waitForDeliveryEnd(world, changedId, 'cms_site');
  await backup.restore();

  const { output, code } = await runProcess('worker/restore-main.ts');
  assert.equal(code, 0, output);
  assert.match(output, new RegExp(`${id}.*was created after the backup`));
  assert.match(output, new RegExp(`${changedId}.*was changed after the backup`));
  const row = await world.reaches(id, 'blogsite_a', 'stale');
  assert.ok(row.remoteUrl);
  const again = await reconcile();
  assert.equal(again.find(({ delivery }) => delivery.articleId === id)?.finding.kind, 'same');
  await enqueue(id);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual(await listActions(world, createdAfter.title), ['create', 'update']);
});

test('restored to when its article was a draft, a post remains unchanged, and its author is notified (F31)', async () => {
  const { db } = world.api;
  const { author, title } = await begin('A draft in the backup', 'blogsite_a', 'forem');
  const fields = { title, cross_post: { blogsite_a: true, blogsite_b: false } };
  const { id } = await publishArticle(world, author, { ...fields, draft: true });
  const backup = await createBackup(db);
  await publishArticle(world, author, fields);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  await backup.restore();

  // Runs it twice, because it can be interrupted and repeated.
  const [first] = [await reconcile(), await reconcile()];
  const finding = first.find(({ delivery }) => delivery.articleId === id)?.finding;
  assert.equal(finding?.kind, 'not public');
  const notices = await listArticleNotices(db, [id]);
  assert.deepEqual(
    notices.map(({ code }) => code),
    ['restored_not_public'],
  );
  assert.match(notices[0]?.message ?? '', /not public, but its copy is still live at http\S+/);
  await enqueue(id);
  await waitForOutbox(world, id);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  assert.deepEqual(await listActions(world, title), ['create']);
  await publishArticle(world, author, fields, 'Published again.\n');
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual(await listActions(world, title), ['create', 'update']);
});

// Forem's list does not state when a post was changed.
for (const [key, platform] of FINDABLE.filter(([, name]) => name !== 'forem')) {
  test(`restored to when its copy at ${platform} was withdrawn, a post that is public again is listed (F31)`, async () => {
    const { db } = world.api;
    const { author, title, publish } = await begin('Withdrawn in the backup', key, platform);
    const id = await publish();
    await world.reaches(id, key, 'delivered');
    await publishArticle(world, author, { title, draft: true });
    await eventually('the withdrawal', async () => (await listActions(world, title)).includes('withdraw'));
    await waitForDeliveryEnd(world, id, key);
    await sql`update copies set withdrawn_at = withdrawn_at - interval '10 seconds' where article_id = ${id}`.execute(
      db,
    );
    const backup = await createBackup(db);
    await publish();
    await world.reaches(id, key, 'delivered');
    await waitForDeliveryEnd(world, id, key);
    await backup.restore();

    const reports = await reconcile();
    assert.equal(reports.find(({ delivery }) => delivery.articleId === id)?.finding.kind, 'changed');
    assert.deepEqual(await listActions(world, title), ['create', 'withdraw', 'update']);
  });
}

test('a worker does not start during an unfinished restore (F31)', async () => {
  await beginRestore(world.api.db);
  try {
    const { output, code } = await runProcess('worker/main.ts');
    assert.equal(code, 1);
    assert.match(output, /restore is unfinished/);
  } finally {
    await finishRestore(world.api.db, new Date());
  }
});

async function runProcess(script: string): Promise<{ output: string; code: number | null }> {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: world.api.databaseUrl,
      TEMPORAL_ADDRESS: readTemporalAddress(),
      TEMPORAL_TASK_QUEUE: `${world.api.taskQueue}-other`,
      COURANT_HOME: world.api.home,
      BASE_URL: `http://localhost:${new URL(world.api.url).port}`,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { output, code };
}
