/** The sweeper of expired rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startSweeper, sweepImages } from '../../../api/background/sweeper.ts';
import type { Database } from '../../../store/db/database.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import type { ImageStore } from '../../../store/images/files/image-store.ts';
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
  const { msg, level } = JSON.parse(lines[0] ?? '{}') as { msg?: string; level?: number };
  assert.deepEqual([msg, level], ['failed to sweep rate_counters; the next sweep retries', 40]);
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

test('a minute passes before each sweep, and a stopped sweeper sweeps no more', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let steps = 0;
  const now = () => {
    steps += 1;
    return new Date();
  };
  const sweeper = startSweeper({ db, images: createFileImages('/nowhere'), log: pino({ level: 'silent' }), now });
  t.mock.timers.tick(59_999);
  assert.equal(steps, 0);
  t.mock.timers.tick(1);
  assert.equal(steps, 1);
  await sweeper.stop();
  const done = steps;
  t.mock.timers.tick(120_000);
  assert.equal(steps, done);
});

test('pictures whose bytes cannot be deleted keep their rows, and the sweep fails', async () => {
  const old = new Date(Date.now() - 365 * 86_400_000);
  const [broken, fine] = ['a', 'b'].map(
    (letter) => ({ hash: letter.repeat(64), type: 'png', bytes: 1, createdAt: old }) as const,
  );
  assert.ok(broken && fine);
  await db.insertInto('images').values([broken, fine]).execute();
  const removed: string[] = [];
  const remove = async ({ hash }: { hash: string }) => {
    if (hash === broken.hash) throw new Error('disk away');
    removed.push(hash);
  };
  await assert.rejects(sweepImages(db, { remove } as unknown as ImageStore, new Date()), { message: 'disk away' });
  assert.deepEqual(removed, [fine.hash]);
  const rows = await db.selectFrom('images').select(['hash', 'deletingSince']).execute();
  assert.deepEqual(
    rows.map(({ hash, deletingSince }) => [hash, deletingSince !== null]),
    [[broken.hash, true]],
  );
});
