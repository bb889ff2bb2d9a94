/** A time that was given with the name of a zone is what the clock there shows, whatever becomes of the zone's rules. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { ZONE_RULES } from '../../../article/time-zone.ts';
import { applyZoneRules, hasOlderRules } from '../../../store/articles/schedules/zone-rules.ts';
import type { DB } from '../../../store/db/types.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { waitForLock } from '../../support/locks.ts';

let ledger: TestLedger;
let author: string;
before(async () => {
  ledger = await openTestLedger();
  author = await ledger.addAuthor();
});
after(() => ledger.close());

const now = new Date('2050-01-01T00:00:00Z');
const look = (limit = 100) => applyZoneRules(ledger.db, { now, limit });
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

test('when the rules of its zone have changed, a schedule moves, its workflow is woken, and its author is told, once', async () => {
  // As rules would have had it by which Berlin is two hours ahead in March.
  const id = await schedule('2050-03-01T07:00:00Z');
  assert.equal(await look(), 1);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T08:00:00.000Z');
  assert.deepEqual(await ledger.outbox(id), [null]);
  const [notice, ...more] = await listNotices(id);
  assert.deepEqual([notice?.code, more], ['schedule_moved', []]);
  assert.match(notice?.message ?? '', /09:00 in Europe\/Berlin.*2050-03-01T08:00:00\.000Z.*2050-03-01T07:00:00\.000Z/);
  assert.equal(await look(), 0);
  assert.equal((await listNotices(id)).length, 1);
});

test('a schedule whose rules have not changed stays, and nobody is told', async () => {
  const id = await schedule('2050-03-01T08:00:00Z');
  assert.equal(await look(), 1);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T08:00:00.000Z');
  assert.deepEqual([await ledger.outbox(id), await listNotices(id)], [[], []]);
  assert.equal(await look(), 0, 'it is not looked at again before the rules change');
});

test('rules that are older than those by which a time was found change nothing', async () => {
  const id = await schedule('2050-03-01T07:00:00Z', { scheduledRules: '9999z' });
  assert.equal(await look(), 0);
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T07:00:00.000Z');
});

test('only a time in a zone that was found by older rules, or by none that is known, is looked at', () => {
  const zone = 'Europe/Berlin';
  for (const rules of [null, '2001a']) assert.equal(hasOlderRules({ zone, rules }), true);
  for (const rules of [ZONE_RULES, '9999z']) assert.equal(hasOlderRules({ zone, rules }), false);
  assert.equal(hasOlderRules({ zone: null, rules: null }), false);
});

test('of a time that the clock shows twice, the one that was meant stays', async () => {
  const twice = { scheduledLocal: '2050-10-30T02:30:00' };
  const first = await schedule('2050-10-30T00:30:00Z', twice);
  const second = await schedule('2050-10-30T01:30:00Z', twice);
  await look();
  for (const id of [first, second]) assert.deepEqual(await listNotices(id), []);
});

test('a time that the clock skips by the new rules comes when the clock has gone forward, and the notice says so', async () => {
  const id = await schedule('2050-03-27T00:30:00Z', { scheduledLocal: '2050-03-27T02:30:00' });
  await look();
  assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-27T01:30:00.000Z');
  assert.match((await listNotices(id))[0]?.message ?? '', /03:30/);
});

test('a time with an offset, and one in a zone that is not known here, stay as they are', async () => {
  const offset = await schedule('2050-03-01T07:00:00Z', { scheduledZone: '+02:00', scheduledLocal: null });
  const gone = await schedule('2050-03-01T07:00:00Z', { scheduledZone: 'Mars/Olympus' });
  await look();
  for (const id of [offset, gone]) {
    assert.equal((await ledger.article(id)).scheduledAt?.toISOString(), '2050-03-01T07:00:00.000Z');
    assert.deepEqual(await listNotices(id), []);
  }
});

test('a schedule from before the local time was kept gets it from its present time', async () => {
  const id = await schedule('2050-03-01T08:00:00Z', { scheduledLocal: null, scheduledRules: null });
  await look();
  const { scheduledLocal, scheduledAt } = await ledger.article(id);
  assert.deepEqual([scheduledLocal, scheduledAt?.toISOString()], ['2050-03-01T09:00:00', '2050-03-01T08:00:00.000Z']);
});

test('an author who reschedules during the look is not overruled, and what is public or a draft is left alone', async () => {
  const published = await schedule('2050-03-01T07:00:00Z', { status: 'PUBLISHED', publishedAt: now });
  const ids = await Promise.all(Array.from({ length: 20 }, () => schedule('2050-03-01T07:00:00Z')));
  const moved = new Date('2060-01-01T00:00:00Z');
  await Promise.all([
    look(),
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
});

test('an author who has moved it from one of two equal times to the other during the look keeps the other', async () => {
  const id = await schedule('2050-10-30T00:30:00Z', { scheduledLocal: '2050-10-30T02:30:00' });
  const scheduledAt = new Date('2050-10-30T01:30:00Z');
  const looking = await ledger.db.transaction().execute(async (tx) => {
    await tx.updateTable('articles').set({ scheduledAt }).where('id', '=', id).execute();
    const look = applyZoneRules(ledger.db, { now, limit: 1, articleId: id });
    await waitForLock(ledger.db);
    return { look };
  });
  await looking.look;
  assert.deepEqual((await ledger.article(id)).scheduledAt, scheduledAt);
});

test('thousands are looked at in portions', async () => {
  await ledger.db.deleteFrom('articles').execute();
  for (let n = 0; n < 7; n++) await schedule('2050-03-01T07:00:00Z');
  assert.deepEqual([await look(5), await look(5), await look(5)], [5, 2, 0]);
});
