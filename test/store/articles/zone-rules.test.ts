/** A time with a zone name means the local clock there, whatever the zone's rules become. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { ZONE_RULES } from '../../../article/time-zone.ts';
import { applyZoneRules, hasOlderRules } from '../../../store/articles/schedules/zone-rules.ts';
import type { DB } from '../../../store/db/types.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';

let ledger: TestLedger;
let author: string;
before(async () => {
  ledger = await openTestLedger();
  author = await ledger.addAuthor();
});
after(() => ledger.close());

const now = new Date('2050-01-01T00:00:00Z');
const checkSchedules = (limit = 100) => applyZoneRules(ledger.db, { now, limit });
const listNotices = (articleId: string) =>
  ledger.db.selectFrom('articleNotices').select(['code', 'message']).where('articleId', '=', articleId).execute();

function schedule(at: string, more: Partial<Insertable<DB['articles']>> = {}): Promise<string> {
  return ledger.addArticle(author, {
    status: 'SCHEDULED',
    publishedAt: null,
    scheduledAt: new Date(at),
    scheduledZone: 'Europe/Berlin',
    scheduledLocal: '2050-03-01T09:00:00',
    scheduledRules: '2001a',
    ...more,
  });
}

test('new zone rules move a schedule once, with a signal to its workflow and a notice to its author', async () => {
  // Corresponds to rules in which Berlin is two hours ahead in March.
  const id = await schedule('2050-03-01T07:00:00Z');
  assert.equal(await checkSchedules(), 1);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T08:00:00.000Z');
  assert.deepEqual(await ledger.outbox(id), [null]);
  const message =
    'Scheduled for 2050-03-01 09:00 in Europe/Berlin: the rules of that time zone have changed, so this is now 2050-03-01T08:00:00.000Z, previously 2050-03-01T07:00:00.000Z.';
  assert.deepEqual(await listNotices(id), [{ code: 'schedule_moved', message }]);
  assert.equal(await checkSchedules(), 0);
  assert.equal((await listNotices(id)).length, 1);
});

test('a schedule with unchanged rules stays, without a notice', async () => {
  const id = await schedule('2050-03-01T08:00:00Z');
  assert.equal(await checkSchedules(), 1);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T08:00:00.000Z');
  assert.deepEqual([await ledger.outbox(id), await listNotices(id)], [[], []]);
  assert.equal(await checkSchedules(), 0, 'it is not looked at again before the rules change');
});

test('older rules than those of a stored time change nothing', async () => {
  const id = await schedule('2050-03-01T07:00:00Z', { scheduledRules: '9999z' });
  assert.equal(await checkSchedules(), 0);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T07:00:00.000Z');
});

test('only times in a zone with older rules are checked', () => {
  const zone = 'Europe/Berlin';
  assert.equal(hasOlderRules({ zone, rules: '2001a' }), true);
  for (const rules of [ZONE_RULES, '9999z', null]) assert.equal(hasOlderRules({ zone, rules }), false);
  assert.equal(hasOlderRules({ zone: null, rules: '2001a' }), false);
});

test('a local time that occurs twice keeps the moment that its author meant', async () => {
  const twice = { scheduledLocal: '2050-10-30T02:30:00' };
  const first = await schedule('2050-10-30T00:30:00Z', twice);
  const second = await schedule('2050-10-30T01:30:00Z', twice);
  await checkSchedules();
  for (const id of [first, second]) assert.deepEqual(await listNotices(id), []);
});

test('a local time skipped by the new rules moves to the end of the gap, and the notice names it', async () => {
  const id = await schedule('2050-03-27T00:30:00Z', { scheduledLocal: '2050-03-27T02:30:00' });
  await checkSchedules();
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-27T01:30:00.000Z');
  const [notice] = await listNotices(id);
  assert.equal(
    notice?.message,
    'Scheduled for 2050-03-27 02:30 in Europe/Berlin: the rules of that time zone have changed, so this is now 2050-03-27T01:30:00.000Z, previously 2050-03-27T00:30:00.000Z. That local time no longer exists, so the article is published at 2050-03-27T03:30:00.',
  );
});

test('times with an offset or in an unknown zone stay', async () => {
  const offset = await schedule('2050-03-01T07:00:00Z', { scheduledZone: '+02:00', scheduledLocal: null });
  const gone = await schedule('2050-03-01T07:00:00Z', { scheduledZone: 'Mars/Olympus' });
  await checkSchedules();
  for (const id of [offset, gone]) {
    assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T07:00:00.000Z');
    assert.deepEqual(await listNotices(id), []);
    assert.equal((await ledger.article(id)).scheduledRules, ZONE_RULES);
  }
});

test('a concurrent reschedule is not overwritten, and public articles and drafts are not changed', async () => {
  const published = await schedule('2050-03-01T07:00:00Z', { status: 'PUBLISHED', publishedAt: now });
  const ids = await Promise.all(Array.from({ length: 20 }, () => schedule('2050-03-01T07:00:00Z')));
  const moved = new Date('2060-01-01T00:00:00Z');
  await Promise.all([
    checkSchedules(),
    ...ids.map((id) =>
      ledger.db
        .updateTable('articles')
        .set({ scheduledAt: moved, scheduledZone: null, scheduledLocal: null, scheduledRules: null })
        .where('id', '=', id)
        .execute(),
    ),
  ]);
  for (const id of ids) assert.deepEqual((await ledger.article(id)).scheduledAt, moved);
  assert.deepEqual(await listNotices(published), []);
  assert.equal((await ledger.article(published)).scheduledRules, '2001a');
});

test('a concurrent move between two equal local times is not overwritten', async () => {
  const id = await schedule('2050-10-30T00:30:00Z', { scheduledLocal: '2050-10-30T02:30:00' });
  const scheduledAt = new Date('2050-10-30T01:30:00Z');
  const started = await ledger.db.transaction().execute(async (tx) => {
    await tx.updateTable('articles').set({ scheduledAt }).where('id', '=', id).execute();
    const check = applyZoneRules(ledger.db, { now, limit: 1, articleId: id });
    await waitForLock(ledger.db);
    return { check };
  });
  await started.check;
  assert.deepEqual((await ledger.article(id)).scheduledAt, scheduledAt);
});

test('many schedules are checked in batches', async () => {
  await ledger.db.deleteFrom('articles').execute();
  for (let n = 0; n < 7; n++) await schedule('2050-03-01T07:00:00Z');
  assert.deepEqual([await checkSchedules(5), await checkSchedules(5), await checkSchedules(5)], [5, 2, 0]);
});
