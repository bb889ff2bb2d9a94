/** Tests slow, overlapping and partly failing sweeps: no digest is skipped. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createDigestSweepActivities, type SweptPage } from '../../../activities/digest/sweep.ts';
import { changeDigestSettings } from '../../../store/digests/settings.ts';
import { applySchedules, SCHEDULES } from '../../../temporal/schedules.ts';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import { addPerson } from '../../support/api/readership.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { eventually } from '../../support/eventually.ts';

const DATE = '2026-11-23';
const MONDAY = new Date('2026-11-23T08:30:00Z');

let world: DigestWorld;
before(async () => {
  world = await startDigestWorld();
  world.clock.now = MONDAY;
});
after(() => world.close());

/** Creates an author with a digest due on the Monday at this hour. */
async function createAuthor(hour = 8): Promise<string> {
  const now = new Date('2026-11-20T00:00:00Z');
  const id = await addPerson(world.db, 'Due', now);
  await changeDigestSettings(world.db, { userId: id, change: { hour, sendEmpty: true }, now });
  return id;
}

const isSent = async (id: string) => ((await world.readDigest(id, DATE))?.state === 'sent' ? true : null);

test('a sweep that exceeds its hour is followed by the next one, which finds the digests due meanwhile', async () => {
  const [early, late] = [await createAuthor(8), await createAuthor(9)];
  const id = `digest-sweep-${randomBytes(6).toString('hex')}`;
  const sweeps = SCHEDULES.filter((schedule) => schedule.id === 'digest-sweep').map((schedule) => ({
    ...schedule,
    id,
  }));
  await applySchedules(world.client, world.taskQueue, sweeps);
  const schedule = world.client.schedule.getHandle(id);
  try {
    await world.db.transaction().execute(async (tx) => {
      // The first sweep cannot continue while this lock is held.
      await tx.selectFrom('digestSettings').select('userId').where('userId', '=', early).forUpdate().execute();
      await schedule.trigger(sweeps[0]?.overlap);
      await waitForLock(world.db);
      world.clock.now = new Date('2026-11-23T09:30:00Z');
      await schedule.trigger(sweeps[0]?.overlap);
      // The server responds before its scheduler has processed it.
      await sleep(1_000);
    });
    await eventually('both digests', async () => (await isSent(early)) && (await isSent(late)));
  } finally {
    await schedule.delete();
    world.clock.now = MONDAY;
  }
});

test('a page without a successful start does not stop the pages after it', { timeout: 60_000 }, async () => {
  await sql`insert into users (username, name, email, password_hash)
    select 'broken-' || n, 'B', 'broken-' || n || '@example.org', 'x' from generate_series(1, 100) n`.execute(world.db);
  await sql`update digest_settings set zone = 'Mars/Olympus', next_due_at = '2026-11-23 07:00Z'
    where user_id in (select id from users where username like 'broken-%')`.execute(world.db);
  const id = await createAuthor();
  try {
    await world.sweep();
    await world.waitForDigest(id, DATE);
    assert.equal(await isSent(id), true);
  } finally {
    await sql`delete from users where username like 'broken-%'`.execute(world.db);
  }
});

test('a sweep has no time limit, because its worker may be unavailable for an hour', async () => {
  const workflowId = `sweep-${randomBytes(6).toString('hex')}`;
  const { taskQueue, client } = world;
  await client.workflow.execute('digestSweepWorkflow', { taskQueue, workflowId, args: [] });
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const [page] = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  assert.equal(Number(page?.scheduleToCloseTimeout?.seconds ?? 0), 0);
  assert.equal(page?.retryPolicy?.maximumAttempts ?? 0, 0);
});

test('a page that takes too long ends early, and the next page continues after its last author', async () => {
  const ids = await Promise.all(Array.from({ length: 25 }, () => createAuthor()));
  const { db, client } = world;
  const taskQueue = `${world.taskQueue}-nobody`;
  const deps = { db, workflowTarget: { client, taskQueue }, now: () => MONDAY } as ActivityDeps;
  const { startDueDigests } = createDigestSweepActivities(deps, { page: 100, withinMs: 0 });
  const pages: SweptPage[] = [];
  for (let from: Pick<SweptPage, 'after'> & { until: string | null } = { until: null, after: null }; ; ) {
    const page = (await new MockActivityEnvironment().run(startDueDigests, from)) as SweptPage;
    pages.push(page);
    if (page.after === null) break;
    from = page;
  }
  assert.ok(pages.length >= 3, String(pages.length));
  assert.equal(
    pages.reduce((sum, { started }) => sum + started, 0),
    ids.length,
  );
  for (const id of ids) await client.workflow.getHandle(`digest/${id}/${DATE}`).terminate();
});
