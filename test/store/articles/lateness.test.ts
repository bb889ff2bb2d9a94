/** The notice of a late article names recorded causes only. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { publishDueArticle } from '../../../store/articles/schedules/publish-due.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
let author: string;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());
beforeEach(async () => {
  author = await ledger.addAuthor();
  await ledger.db.deleteFrom('sightings').execute();
  await ledger.db.deleteFrom('articles').execute();
});

const due = new Date('2026-11-01T09:00:00Z');
const at = (minutes: number) => new Date(due.getTime() + minutes * 60_000);
const schedule = () => ledger.addArticle(author, { status: 'SCHEDULED', publishedAt: null, scheduledAt: due });
const addSighting = (part: 'worker' | 'temporal', from: number, to: number) =>
  ledger.db
    .insertInto('sightings')
    .values({ part, process: crypto.randomUUID(), since: at(from), until: at(to) })
    .execute();
async function readLateness(id: string): Promise<string> {
  const rows = await ledger.db
    .selectFrom('articleNotices')
    .select('message')
    .where('articleId', '=', id)
    .where('code', '=', 'published_late')
    .execute();
  assert.equal(rows.length, 1);
  const [start = '', ...rest] = rows[0]?.message.split('Scheduled for 2026-11-01T09:00:00.000Z, published ') ?? [];
  assert.equal(start, '');
  return rest.join();
}
async function publishAt(minutes: number): Promise<string> {
  const id = await schedule();
  assert.equal(await publishDueArticle(ledger.db, id, at(minutes)), true);
  return readLateness(id);
}

test('a late article names the time without a running worker', async () => {
  await addSighting('worker', -600, -5);
  await addSighting('worker', 20, 30);
  await addSighting('temporal', -600, -5);
  await addSighting('temporal', 20, 30);
  const message = await publishAt(21);
  assert.equal(
    message,
    '21 min late: no worker was running or could reach the database from 2026-11-01T08:55:00.000Z to 2026-11-01T09:20:00.000Z.',
  );
});

test('an absent worker is not the cause while another one was running', async () => {
  await addSighting('worker', -600, -5);
  await addSighting('worker', -10, 30);
  await addSighting('temporal', -600, 30);
  assert.equal(await publishAt(21), '21 min late: the cause is not known; the service was running.');
});

test('a late article names the time without Temporal', async () => {
  await addSighting('worker', -600, 30);
  await addSighting('temporal', -600, -1);
  await addSighting('temporal', 14, 30);
  assert.equal(
    await publishAt(15),
    '15 min late: Temporal could not be reached from 2026-11-01T08:59:00.000Z to 2026-11-01T09:14:00.000Z.',
  );
});

test('a late article names a queue of articles due at the same time instead of an outage', async () => {
  await addSighting('worker', -600, 30);
  await addSighting('temporal', -600, 30);
  const ids = await Promise.all(Array.from({ length: 30 }, schedule));
  for (const id of ids) await publishDueArticle(ledger.db, id, at(2));
  const [tenth, eleventh, last] = await Promise.all([ids[9], ids[10], ids[29]].map((id = '') => readLateness(id)));
  assert.equal(tenth, '2 min late: the cause is not known; the service was running.');
  assert.equal(eleventh, '2 min late: 10 other scheduled articles were published first.');
  assert.equal(last, '2 min late: 29 other scheduled articles were published first.');
});

test('a late article names both an outage and the queue after it', async () => {
  await addSighting('worker', -600, -5);
  await addSighting('worker', 20, 60);
  const ids = await Promise.all(Array.from({ length: 30 }, schedule));
  for (const id of ids) await publishDueArticle(ledger.db, id, at(25));
  assert.equal(
    await readLateness(ids.at(-1) ?? ''),
    '25 min late: no worker was running or could reach the database from 2026-11-01T08:55:00.000Z to 2026-11-01T09:20:00.000Z; then 29 other scheduled articles were published first.',
  );
});

test('a suspended author gets a notice at the scheduled time, and later the cause of the delay', async () => {
  const id = await schedule();
  const suspend = (suspendedAt: Date | null) =>
    ledger.db.updateTable('users').set({ suspendedAt }).where('id', '=', author).execute();
  await addSighting('worker', -600, 60);
  await suspend(at(-60));
  for (let n = 0; n < 2; n++) assert.equal(await publishDueArticle(ledger.db, id, at(0)), false);
  const notices = ledger.db.selectFrom('articleNotices').select(['code', 'message']).where('articleId', '=', id);
  const message =
    'Scheduled for 2026-11-01T09:00:00.000Z, but not published: your account is suspended. The article is published when the suspension ends.';
  assert.deepEqual(await notices.execute(), [{ code: 'schedule_held', message }]);
  await suspend(null);
  assert.equal(await publishDueArticle(ledger.db, id, at(45)), true);
  assert.equal(await readLateness(id), '45 min late: your account was suspended at the time.');
});

test('a time moved into the past by new zone rules is not reported as an outage', async () => {
  await addSighting('worker', -600, 60);
  for (const [movedAt, cause] of [
    [
      at(29),
      'new rules of its time zone moved it to this time, and this site received them only at 2026-11-01T09:29:00.000Z',
    ],
    [due, 'the cause is not known'],
  ] as const) {
    const id = await schedule();
    const dedupeKey = `moved:${id}:${due.toISOString()}`;
    await ledger.db
      .insertInto('articleNotices')
      .values({ articleId: id, code: 'schedule_moved', message: 'Moved.', dedupeKey, createdAt: movedAt })
      .execute();
    await publishDueArticle(ledger.db, id, at(30));
    assert.equal(await readLateness(id), `30 min late: ${cause}.`);
  }
});

test('the cause is not known without earlier sightings, such as after the first start', async () => {
  assert.equal(await publishAt(5), '5 min late: the cause is not known.');
  await addSighting('worker', 4, 30);
  assert.equal(await publishAt(5), '5 min late: the cause is not known.');
  await addSighting('worker', -600, 30);
  assert.equal(await publishAt(5), '5 min late: the cause is not known.');
});

test('a delay is reported from a minute on, in minutes, hours or days', async () => {
  const id = await schedule();
  assert.equal(await publishDueArticle(ledger.db, id, new Date(at(1).getTime() - 1)), true);
  const notices = await ledger.db.selectFrom('articleNotices').select('code').where('articleId', '=', id).execute();
  assert.deepEqual(notices, []);
  for (const [minutes, shown] of [
    [1, '1 min'],
    [59, '59 min'],
    [60, '1 h 0 min'],
    [2_879, '47 h 59 min'],
    [2_880, '2 days'],
  ] as const) {
    assert.equal(await publishAt(minutes), `${shown} late: the cause is not known.`);
  }
});
