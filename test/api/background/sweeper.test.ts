/** The sweeper of expired rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startSweeper } from '../../../api/background/sweeper.ts';
import type { Database } from '../../../store/db/database.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import { EXPIRING_TABLES } from '../../../store/operation/sweep-expired.ts';
import { MAX_UNCONFIRMED_ACCOUNT_DAYS } from '../../../store/users/sweep-unconfirmed.ts';
import { addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('a failing sweep is logged and does not stop the others', async (t) => {
  const [unconfirmed, recipient] = [await addPerson(db), await addPerson(db)];
  const longAgo = new Date(
    Date.now() - Math.max(MAX_UNCONFIRMED_ACCOUNT_DAYS, EXPIRING_TABLES.notifications.days) * 86_400_000 - 1,
  );
  await db
    .updateTable('users')
    .set({ emailConfirmedAt: null, createdAt: longAgo })
    .where('id', '=', unconfirmed)
    .execute();
  const old = {
    userId: recipient,
    number: 1,
    type: 'NEW_COMMENT',
    payload: '{}',
    dedupeKey: 'old',
    createdAt: longAgo,
  } as const;
  await db.insertInto('notifications').values(old).execute();
  await sql`alter table rate_counters rename to elsewhere`.execute(db);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });

  t.mock.timers.enable({ apis: ['setInterval'] });
  const images = createFileImages('/nowhere');
  const sweeper = startSweeper({ db, images, log, now: () => new Date() });
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  const listUsers = async () => (await db.selectFrom('users').select('id').execute()).map(({ id }) => id);
  await eventually('the account to be forgotten', async () => !(await listUsers()).includes(unconfirmed));
  await sweeper.stop();
  assert.deepEqual(await listUsers(), [recipient]);
  assert.deepEqual(await db.selectFrom('notifications').select('id').execute(), []);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /rate_counters/);
  await sql`alter table elsewhere rename to rate_counters`.execute(db);
});

test('a sweep that takes longer than a minute delays the next one, and stop waits for it', async (t) => {
  const locked = Promise.withResolvers<void>();
  const unlocked = Promise.withResolvers<void>();
  const lock = db.transaction().execute(async (tx) => {
    await sql`lock table rate_counters`.execute(tx);
    locked.resolve();
    await unlocked.promise;
  });
  await locked.promise;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const log = pino({ level: 'silent' });
  let steps = 0;
  const now = () => {
    steps += 1;
    return new Date();
  };
  const sweeper = startSweeper({ db, images: createFileImages('/nowhere'), log, now });
  t.mock.timers.tick(60_000);
  t.mock.timers.tick(60_000);
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  assert.equal(steps, 1, 'only one sweep has begun');
  const stopped = sweeper.stop().then(() => 'stopped');
  const waits = async () => {
    const { rows } = await sql`select from pg_locks where not granted and relation = 'rate_counters'::regclass`.execute(
      db,
    );
    return rows.length === 1;
  };
  await eventually('the sweep to wait for the lock', waits);
  assert.equal(await Promise.race([stopped, Promise.resolve('waiting')]), 'waiting');
  unlocked.resolve();
  await lock;
  assert.equal(await stopped, 'stopped');
});
