/** The recorder of page views during failures of the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startPageViewRecorder } from '../../../api/readers/page-views/recorder.ts';
import { openDatabase } from '../../../store/db/database.ts';
import { listPageViews } from '../../../store/page-views/list-page-views.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const log = pino({ level: 'silent' });
const NOW = new Date('2026-11-22T12:00:00Z');

async function setUp() {
  const { db } = database;
  const authorId = await addPerson(db);
  const { slug } = await addArticle(db, authorId);
  return {
    seen: (address: string) => ({ slug, address, userAgent: 'A browser', seconds: 5, host: 'direct' }),
    count: async () => {
      const [day] = await listPageViews(db, { authorId, slug, days: 1 });
      return [day?.views ?? 0, day?.readingSeconds ?? 0];
    },
  };
}

test('page views are counted at once after a database crash, which deletes the salts', async () => {
  const { db } = database;
  const { seen, count } = await setUp();
  const recorder = startPageViewRecorder({ db, log, now: () => NOW });
  await recorder.add(seen('192.0.2.1'));
  await eventually('the first', async () => (await count())[0] === 1, { withinMs: 30_000 });
  // PostgreSQL empties unlogged tables during crash recovery.
  await sql`truncate reading_salts, reading_visitors`.execute(db);
  await recorder.add(seen('192.0.2.2'));
  await eventually('the second', async () => (await count())[0] === 2, { withinMs: 30_000 });
  await recorder.stop();
});

test('page views wait while the database is unreachable and count once', async () => {
  const { seen, count } = await setUp();
  const throughProxy = new URL(database.url);
  const proxy = await startTcpProxy({ port: Number(throughProxy.port) });
  throughProxy.port = String(proxy.port);
  const own = openDatabase(throughProxy.href, { onError: () => undefined });
  const failures: string[] = [];
  const failureLog = pino({ level: 'warn' }, { write: (line: string) => void failures.push(line) });
  const recorder = startPageViewRecorder({ db: own, log: failureLog, now: () => NOW });
  await recorder.add(seen('192.0.2.3'));
  await eventually('the first', async () => (await count())[0] === 1, { withinMs: 30_000 });
  proxy.cut();
  await recorder.add(seen('192.0.2.4'));
  await recorder.add(seen('192.0.2.4'));
  await eventually('a write that failed', async () => failures.length > 0, { withinMs: 30_000 });
  await recorder.add(seen('192.0.2.4'));
  proxy.restore();
  await eventually('the second', async () => (await count())[0] === 2, { withinMs: 30_000 });
  assert.deepEqual(await count(), [2, 20]);
  const message = 'the database is unreachable; page views are buffered until it is back';
  for (const line of failures) assert.equal((JSON.parse(line) as { msg: string }).msg, message);
  await recorder.stop();
  await own.destroy();
  await proxy.close();
});

test('around midnight, an unexpected error loses no page views of the other day', async () => {
  const { db } = database;
  const { seen, count } = await setUp();
  await sql`create function reject_day() returns trigger language plpgsql as $$
    begin raise exception 'unexpected'; end $$`.execute(db);
  await sql`create trigger reject_day before insert on reading_visitors for each row
    when (new.day = '2026-11-21') execute function reject_day()`.execute(db);
  const warnings: string[] = [];
  const warningLog = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  let now = new Date('2026-11-21T23:59:59Z');
  const recorder = startPageViewRecorder({ db, log: warningLog, now: () => now });
  await recorder.add(seen('192.0.2.5'));
  now = NOW;
  await recorder.add(seen('192.0.2.5'));
  await recorder.stop();
  assert.deepEqual(await count(), [1, 5]);
  assert.equal(warnings.length, 1);
  const { msg } = JSON.parse(warnings[0] ?? '{}') as { msg?: string };
  assert.equal(msg, 'failed to write page views; the most recent ones are not counted');
  await sql`drop trigger reject_day on reading_visitors`.execute(db);
});

test('ten thousand readers are queued and written in batches; a reader in the queue adds time', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { db } = database;
  const { seen, count } = await setUp();
  const recorder = startPageViewRecorder({ db, log, now: () => NOW });
  const view = (n: number) => seen(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  for (let n = 0; n < 10_000; n++) assert.equal(await recorder.add(view(n)), true);
  assert.equal(await recorder.add(view(10_000)), false);
  assert.equal(await recorder.add({ ...view(0), host: 'later.example' }), true);
  assert.deepEqual(await count(), [0, 0]);
  t.mock.timers.tick(1_999);
  await recorder.add(view(0));
  assert.deepEqual(await count(), [0, 0]);
  await recorder.stop();
  assert.deepEqual(await count(), [10_000, 50_010]);
});

test('page views are written every two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { seen, count } = await setUp();
  const recorder = startPageViewRecorder({ db: database.db, log, now: () => NOW });
  for (const [views, address] of [
    [1, '192.0.2.8'],
    [2, '192.0.2.9'],
  ] as const) {
    await recorder.add(seen(address));
    t.mock.timers.tick(2_000);
    await eventually('the view', async () => (await count())[0] === views);
  }
  t.mock.timers.reset();
  await recorder.stop();
});

test('the same reader of two articles has different hashes', async () => {
  const { db } = database;
  const [one, other] = [await setUp(), await setUp()];
  const recorder = startPageViewRecorder({ db, log, now: () => NOW });
  await recorder.add(one.seen('2001:db8::1'));
  await recorder.add({ ...one.seen('2001:db8::2'), userAgent: 'Another browser' });
  await recorder.add(other.seen('2001:db8::1'));
  const read = db.selectFrom('readingVisitors').select(['network', 'visitor']);
  const before = (await read.execute()).length;
  await recorder.stop();
  const rows = (await read.execute()).slice(before);
  const hex = (column: 'network' | 'visitor') => rows.map((row) => row[column].toString('hex'));
  assert.deepEqual([new Set(hex('network')).size, new Set(hex('visitor')).size], [2, 3]);
  for (const hash of [...hex('network'), ...hex('visitor')]) assert.match(hash, /^[0-9a-f]{32}$/);
});
