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
  assert.match(warnings[0] ?? '', /failed to write page views/);
  await sql`drop trigger reject_day on reading_visitors`.execute(db);
});
