/** Sightings of workers and of Temporal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { recordSighting } from '../../../store/sightings/record-sighting.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const list = () => database.db.selectFrom('sightings').selectAll().orderBy('id').execute();

test('consecutive sightings form one period, and a gap starts another one', async () => {
  const { db } = database;
  const process = randomUUID();
  for (let n = 0; n < 3; n++) await recordSighting(db, 'worker', process);
  await recordSighting(db, 'temporal', process);
  await recordSighting(db, 'worker', randomUUID());
  assert.equal((await list()).length, 3);
  await sql`update sightings set since = since - interval '2 hours', until = until - interval '1 hour'`.execute(db);
  await recordSighting(db, 'worker', process);
  const rows = await list();
  assert.equal(rows.length, 4);
  assert.ok(rows.every(({ since, until }) => until >= since));
});

test('old sightings are deleted', async () => {
  const { db } = database;
  await sql`update sightings set since = since - interval '100 days', until = until - interval '100 days'`.execute(db);
  await recordSighting(db, 'worker', randomUUID());
  assert.equal((await list()).length, 1);
});
