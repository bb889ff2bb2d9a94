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
});
