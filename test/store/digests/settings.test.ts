/** Digest settings, the due moments that follow from them, and the date of a due digest. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { listDueAuthors } from '../../../store/digests/due-authors.ts';
import { chooseDigestDate } from '../../../store/digests/due-date.ts';
import { changeDigestSettings, findDigestSettings, turnOffDigest } from '../../../store/digests/settings.ts';
import { addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const change = async (
  userId: string,
  more: Parameters<typeof changeDigestSettings>[1]['change'],
  now = '2026-11-21T12:00:00Z',
) => {
  const result = await changeDigestSettings(db, { userId, change: more, now: new Date(now) });
  assert.ok(result && 'settings' in result, JSON.stringify(result));
  return result.settings;
};

test('every new account gets a digest on Mondays at 08:00 UTC, from the next Monday on', async () => {
  for (const [createdAt, due] of [
    ['2026-11-21T05:00:00Z', '2026-11-23T08:00:00.000Z'],
    ['2026-11-23T07:59:00Z', '2026-11-23T08:00:00.000Z'],
    ['2026-11-23T08:00:00Z', '2026-11-30T08:00:00.000Z'],
  ] as const) {
    const id = await addPerson(db, 'New', new Date(createdAt));
    const { nextDueAt, ...settings } = (await findDigestSettings(db, id)) ?? assert.fail();
    assert.equal(nextDueAt?.toISOString(), due);
    assert.deepEqual(settings, {
      frequency: 'weekly',
      weekday: 1,
      hour: 8,
      zone: 'UTC',
      sendEmpty: false,
      stoppedAt: null,
      stoppedReason: null,
    });
  }
});

test('a change returns the next due moment; omitted settings stay', async () => {
  const id = await addPerson(db, 'Chooser', new Date('2026-11-21T12:00:00Z'));
  const first = await change(id, {
    frequency: 'monthly',
    weekday: 5,
    hour: 17,
    zone: 'america/new_york',
    sendEmpty: true,
  });
  assert.equal(first.zone, 'America/New_York');
  assert.equal(first.nextDueAt?.toISOString(), '2026-12-04T22:00:00.000Z');
  const second = await change(id, { frequency: 'daily' });
  assert.equal(second.nextDueAt?.toISOString(), '2026-11-21T22:00:00.000Z');
  assert.deepEqual(await findDigestSettings(db, id), second);
  assert.equal((await change(id, { frequency: 'off' })).nextDueAt, null);
});

test('a due digest stays due, even if its hour becomes an earlier one', async () => {
  const id = await addPerson(db, 'Due', new Date('2026-11-20T00:00:00Z'));
  const late = '2026-11-23T08:20:00Z';
  assert.equal((await change(id, { sendEmpty: true }, late)).nextDueAt?.toISOString(), '2026-11-23T08:00:00.000Z');
  const same = { frequency: 'weekly', weekday: 1, hour: 8, zone: 'utc' } as const;
  assert.equal((await change(id, same, late)).nextDueAt?.toISOString(), '2026-11-23T08:00:00.000Z');
  assert.equal((await change(id, { hour: 7 }, late)).nextDueAt?.toISOString(), '2026-11-23T07:00:00.000Z');
  assert.equal((await change(id, { hour: 10 }, late)).nextDueAt?.toISOString(), '2026-11-23T10:00:00.000Z');
});

test('invalid hours, days and zones are rejected together and change nothing', async () => {
  const id = await addPerson(db);
  const was = await findDigestSettings(db, id);
  const result = await changeDigestSettings(db, {
    userId: id,
    change: { frequency: 'daily', weekday: 8, hour: 24.5, zone: 'Europe/Atlantis' },
    now: new Date(),
  });
  assert.ok(result && 'problems' in result);
  assert.deepEqual(result.problems, [
    { path: 'weekday', message: 'must be 1 (Monday) to 7 (Sunday)' },
    { path: 'hour', message: 'must be 0 to 23' },
    { path: 'zone', message: 'must be the IANA name of a time zone, such as Europe/Lisbon' },
  ]);
  assert.deepEqual(await findDigestSettings(db, id), was);
});

test('nothing is due after turning digests off; an unknown user changes nothing', async () => {
  const id = await addPerson(db);
  assert.equal(await turnOffDigest(db, id, new Date()), true);
  assert.equal((await findDigestSettings(db, id))?.nextDueAt, null);
  assert.equal(await turnOffDigest(db, '00000000-0000-4000-8000-000000000000', new Date()), false);
  const nobody = { userId: '00000000-0000-4000-8000-000000000000', change: { hour: 1 }, now: new Date() };
  assert.equal(await changeDigestSettings(db, nobody), undefined);
});

test('a change restarts digests that were stopped for a refused address', async () => {
  const id = await addPerson(db);
  await db
    .updateTable('digestSettings')
    .set({ nextDueAt: null, stoppedAt: new Date(), stoppedReason: '550 no such mailbox' })
    .where('userId', '=', id)
    .execute();
  const settings = await change(id, { hour: 9 });
  assert.equal(settings.stoppedAt, null);
  assert.equal(settings.nextDueAt?.toISOString(), '2026-11-23T09:00:00.000Z');
});

test('due authors are listed in pages, each once, the longest overdue first; suspended ones get no digest', async () => {
  const now = new Date('2026-11-24T00:00:00Z');
  const createdAt = new Date('2026-11-01T00:00:00Z');
  const ids = await Promise.all(Array.from({ length: 7 }, () => addPerson(db, 'Due', createdAt)));
  await db
    .updateTable('digestSettings')
    .set({ nextDueAt: new Date('2026-11-23T08:00:00Z') })
    .where('userId', 'in', ids)
    .execute();
  const [suspended = ''] = ids;
  await db.updateTable('users').set({ suspendedAt: createdAt }).where('id', '=', suspended).execute();
  const seen: string[] = [];
  let after = null;
  for (;;) {
    const page = await listDueAuthors(db, { until: now, after, limit: 3 });
    seen.push(...page.map(({ userId }) => userId));
    for (const author of page) {
      const date = await chooseDigestDate(db, author, now);
      assert.equal(date, author.userId === suspended ? null : '2026-11-23');
    }
    const last = page.at(-1);
    if (!last || page.length < 3) break;
    after = { dueAt: last.dueAt.toISOString(), userId: last.userId };
  }
  const mine = seen.filter((id) => ids.includes(id));
  assert.deepEqual([...mine].sort(), [...ids].sort());
  assert.equal((await findDigestSettings(db, suspended))?.nextDueAt?.toISOString(), '2026-11-30T08:00:00.000Z');
});

test('after an outage of days a daily digest is for today, unless an earlier one has begun', async () => {
  const now = new Date('2026-11-27T12:00:00Z');
  const dueAt = new Date('2026-11-23T08:00:00Z');
  for (const begun of [false, true]) {
    const id = await addPerson(db);
    await db
      .updateTable('digestSettings')
      .set({ frequency: 'daily', nextDueAt: dueAt })
      .where('userId', '=', id)
      .execute();
    if (begun) {
      await db
        .insertInto('digests')
        .values({ userId: id, date: '2026-11-23', messageId: '<a@b>', dueAt, frequency: 'daily', at: dueAt })
        .execute();
    }
    const due = await listDueAuthors(db, { until: now, after: null, limit: 100 });
    const author = due.find(({ userId }) => userId === id) ?? assert.fail();
    assert.equal(await chooseDigestDate(db, author, now), begun ? '2026-11-23' : '2026-11-27');
    const nextDueAt = (await findDigestSettings(db, id))?.nextDueAt;
    assert.equal(nextDueAt?.toISOString(), begun ? dueAt.toISOString() : '2026-11-27T08:00:00.000Z');
  }
});

test('a digest that has begun stays due until it ends, whatever its author changes', async () => {
  const dueAt = new Date('2026-11-23T08:00:00Z');
  const id = await addPerson(db, 'Begun', new Date('2026-11-20T00:00:00Z'));
  await db
    .insertInto('digests')
    .values({ userId: id, date: '2026-11-23', messageId: '<a@b>', dueAt, frequency: 'weekly', at: dueAt })
    .execute();
  const { nextDueAt } = await change(id, { weekday: 5, hour: 17 }, '2026-11-23T08:20:00Z');
  assert.deepEqual(nextDueAt, dueAt);
});
