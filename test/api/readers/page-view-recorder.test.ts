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
