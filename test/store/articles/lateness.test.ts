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
  return rows[0]?.message ?? '';
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
  assert.match(
    message,
    /published 21 min late: no worker was running.*from 2026-11-01T08:55:00\.000Z to 2026-11-01T09:20:00\.000Z/,
  );
});

test('an absent worker is not the cause while another one was running', async () => {
  await addSighting('worker', -600, -5);
  await addSighting('worker', -10, 30);
  await addSighting('temporal', -600, 30);
  assert.match(await publishAt(21), /21 min late: the cause is not known; the service was running\./);
});

test('a late article names the time without Temporal', async () => {
  await addSighting('worker', -600, 30);
  await addSighting('temporal', -600, -1);
  await addSighting('temporal', 14, 30);
  assert.match(
    await publishAt(15),
    /late: Temporal could not be reached from 2026-11-01T08:59:00\.000Z to 2026-11-01T09:14:00/,
  );
});

test('a late article names a queue of articles due at the same time instead of an outage', async () => {
  await addSighting('worker', -600, 30);
  await addSighting('temporal', -600, 30);
  const ids = await Promise.all(Array.from({ length: 30 }, schedule));
  for (const id of ids) await publishDueArticle(ledger.db, id, at(2));
  const message = await readLateness(ids.at(-1) ?? '');
  assert.match(message, /published 2 min late: 29 other scheduled articles were published first\./);
  assert.doesNotMatch(message, /running|not known/);
});

test('a late article names both an outage and the queue after it', async () => {
  await addSighting('worker', -600, -5);
  await addSighting('worker', 20, 60);
  const ids = await Promise.all(Array.from({ length: 30 }, schedule));
  for (const id of ids) await publishDueArticle(ledger.db, id, at(25));
  assert.match(await readLateness(ids.at(-1) ?? ''), /no worker was running.*; then 29 other scheduled articles/);
});

test('a suspended author gets a notice at the scheduled time, and later the cause of the delay', async () => {
  const id = await schedule();
  const suspend = (suspendedAt: Date | null) =>
    ledger.db.updateTable('users').set({ suspendedAt }).where('id', '=', author).execute();
  await addSighting('worker', -600, 60);
  await suspend(at(-60));
  for (let n = 0; n < 2; n++) assert.equal(await publishDueArticle(ledger.db, id, at(0)), false);
  const notices = () => ledger.db.selectFrom('articleNotices').select('code').where('articleId', '=', id).execute();
  assert.deepEqual(await notices(), [{ code: 'schedule_held' }]);
  await suspend(null);
  assert.equal(await publishDueArticle(ledger.db, id, at(45)), true);
  assert.match(await readLateness(id), /45 min late: your account was suspended at the time\./);
});

test('a time moved into the past by new zone rules is not reported as an outage', async () => {
  const id = await schedule();
  await addSighting('worker', -600, 60);
  const dedupeKey = `moved:${id}:${due.toISOString()}`;
  await ledger.db
    .insertInto('articleNotices')
    .values({ articleId: id, code: 'schedule_moved', message: 'Moved.', dedupeKey, createdAt: at(29) })
    .execute();
  await publishDueArticle(ledger.db, id, at(30));
  assert.match(await readLateness(id), /30 min late: new rules of its time zone .* only at 2026-11-01T09:29/);
});

test('the cause is not known without earlier sightings, such as after the first start', async () => {
  assert.match(await publishAt(5), /5 min late: the cause is not known\./);
  await addSighting('worker', 4, 30);
  assert.match(await publishAt(5), /5 min late: the cause is not known\./);
});
