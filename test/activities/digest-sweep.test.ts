/** The pages of a digest sweep, and digests and mails that end without a mail server. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createDigestActivities } from '../../activities/digest/send.ts';
import { createDigestSweepActivities, type SweptPage } from '../../activities/digest/sweep.ts';
import { createRoundupActivities } from '../../activities/roundup/publish.ts';
import type { DueCursor } from '../../store/digests/due-authors.ts';
import { changeDigestSettings } from '../../store/digests/settings.ts';
import { addPerson } from '../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../support/environment.ts';

const DATE = '2026-11-23';
const MONDAY = new Date('2026-11-23T08:30:00Z');
const BEFORE = new Date('2026-11-20T00:00:00Z');

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());
beforeEach(() => sql`delete from users`.execute(database.db));

async function addAuthors(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const id = await addPerson(database.db, `Number ${n}`, BEFORE);
    await changeDigestSettings(database.db, { userId: id, change: { hour: 8 }, now: BEFORE });
    ids.push(id);
  }
  return ids.sort();
}

const STARTED = new WorkflowExecutionAlreadyStartedError('started', 'id', 'type');

/** Runs one page. `start` is called with the workflow id and the policy for reuse. */
async function sweep(
  {
    start = async () => undefined,
    attempt = 1,
    until = null as string | null,
    after = null as DueCursor | null,
  }: {
    start?: (id: string, policy: string) => Promise<unknown>;
    attempt?: number;
    until?: string | null;
    after?: DueCursor | null;
  } = {},
  bounds?: { page: number; withinMs: number },
) {
  const workflow = {
    start: (_type: string, options: { workflowId: string; workflowIdReusePolicy: string }) =>
      start(options.workflowId, options.workflowIdReusePolicy),
  };
  const deps = { db: database.db, workflowTarget: { client: { workflow }, taskQueue: 'q' }, now: () => MONDAY };
  const { startDueDigests } = createDigestSweepActivities(deps as unknown as ActivityDeps, bounds);
  const page = await new MockActivityEnvironment({ attempt }).run(startDueDigests, { until, after });
  return page as SweptPage;
}

test('a page starts the due digests; a full page is followed by another one', async () => {
  const ids = await addAuthors(3);
  const started: string[] = [];
  const start = async (id: string, policy: string) => void started.push(`${id} ${policy}`);
  const expected = ids.map((id) => `digest/${id}/${DATE} ALLOW_DUPLICATE_FAILED_ONLY`);
  assert.deepEqual(await sweep({ start }), { started: 3, until: MONDAY.toISOString(), after: null });
  assert.deepEqual(started.sort(), expected);
  const full = await sweep({ until: '2026-11-23T09:00:00.000Z' }, { page: 3, withinMs: 1_000 });
  const last = { dueAt: '2026-11-23T08:00:00.000Z', userId: ids[2] ?? '' };
  assert.deepEqual(full, { started: 3, until: '2026-11-23T09:00:00.000Z', after: last });
  assert.deepEqual(await sweep({ until: full.until, after: last }), { started: 0, until: full.until, after: null });
  const early = await sweep({ until: '2026-11-23T07:59:59.000Z' });
  assert.equal(early.started, 0);
});

test('a page that takes too long ends after ten starts', async () => {
  const ids = await addAuthors(11);
  const { started, after: cursor } = await sweep({}, { page: 100, withinMs: 0 });
  assert.deepEqual([started, cursor?.userId], [10, ids[9]]);
});

test('a digest whose workflow has ended without sending it starts again', async () => {
  const [id = ''] = await addAuthors(1);
  const policies: string[] = [];
  const start = async (_id: string, policy: string) => {
    policies.push(policy);
    if (policy === 'ALLOW_DUPLICATE_FAILED_ONLY') throw STARTED;
  };
  assert.equal((await sweep({ start })).started, 1);
  assert.deepEqual(policies, ['ALLOW_DUPLICATE_FAILED_ONLY', 'ALLOW_DUPLICATE']);
  await sendDigest(id);
  await database.db.updateTable('digests').set({ state: 'sent' }).where('userId', '=', id).execute();
  assert.equal((await sweep({ start })).started, 0);
});

test('a failed start does not stop the others; if all fail, the page is retried three times', async () => {
  const ids = await addAuthors(2);
  const start = async (id: string) => {
    if (id.includes(ids[0] ?? '')) throw new Error('away');
  };
  assert.equal((await sweep({ start })).started, 1);
  const fail = () => Promise.reject(new Error('away'));
  await assert.rejects(sweep({ start: fail, attempt: 3 }), { message: 'away' });
  assert.deepEqual(await sweep({ start: fail, attempt: 4 }), { started: 0, until: MONDAY.toISOString(), after: null });
});

test('due dates far in the future are moved back at the start of a sweep, not on its later pages', async () => {
  const [id = ''] = await addAuthors(1);
  const far = new Date('2030-01-01T00:00:00Z');
  const settings = database.db.updateTable('digestSettings').where('userId', '=', id);
  await settings.set({ nextDueAt: far }).execute();
  const read = async () =>
    (
      await database.db
        .selectFrom('digestSettings')
        .select('nextDueAt')
        .where('userId', '=', id)
        .executeTakeFirstOrThrow()
    ).nextDueAt;
  await sweep({ until: MONDAY.toISOString() });
  assert.deepEqual(await read(), far);
  await sweep();
  assert.ok(((await read())?.getTime() ?? 0) < far.getTime());
});

/** Sends the digest of the Monday with a mailer that must not be called. */
async function sendDigest(id: string, date = DATE) {
  const mail = { send: async () => assert.fail('a mail was sent'), close: async () => undefined };
  const deps = {
    ...{ db: database.db, baseUrl: 'https://here.example', now: () => MONDAY, mail },
    ...{ unsubscribeToken: () => 'token', renderDigest: async () => assert.fail('a digest was rendered') },
  };
  const { sendDigest: run, openDigest } = createDigestActivities(deps as unknown as ActivityDeps);
  const state = await openDigest({ userId: id, date });
  return { state, outcome: await new MockActivityEnvironment().run(run, { userId: id, date }) };
}

test('a digest that needs no mail is skipped with the reason', async () => {
  const [quiet = '', off = '', stopped = '', suspended = ''] = await addAuthors(4);
  const skipped = (reason: string) => ({ state: 'pending', outcome: { kind: 'skipped', reason } });
  assert.deepEqual(await sendDigest(quiet), skipped('There was nothing to report.'));
  const set = (id: string, values: object) =>
    database.db.updateTable('digestSettings').set(values).where('userId', '=', id).execute();
  for (const id of [off, stopped, suspended]) await sendDigest(id);
  await set(off, { frequency: 'off', nextDueAt: null });
  await set(stopped, { stoppedAt: MONDAY, nextDueAt: null });
  await database.db.updateTable('users').set({ suspendedAt: MONDAY }).where('id', '=', suspended).execute();
  for (const [id, reason] of [
    [off, 'The author has turned off digests.'],
    [stopped, 'The address rejected an earlier mail.'],
    [suspended, 'The author is suspended.'],
  ] as const) {
    const { outcome } = await sendDigest(id);
    assert.deepEqual(outcome, { kind: 'skipped', reason });
  }
  const { messageId } = await database.db
    .selectFrom('digests')
    .select('messageId')
    .where('userId', '=', quiet)
    .executeTakeFirstOrThrow();
  assert.equal(messageId, `<digest.${quiet}.${DATE}@here.example>`);
  const unknown = await sendDigest('00000000-0000-4000-8000-000000000000');
  assert.deepEqual(unknown, { state: null, outcome: { kind: 'deleted' } });
});

test('a roundup covers the week before its time', async () => {
  const { publishRoundup } = createRoundupActivities({ db: database.db, now: () => MONDAY } as unknown as ActivityDeps);
  const at = { at: '2026-11-23T06:00:00.000Z' };
  assert.deepEqual(await publishRoundup(at), { week: '2026-W47', entries: 0 });
});
