/** Contents and cost of the catalogues. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { listForCatalogue, selectForCatalogue } from '../../../store/lists/list-for-catalogue.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { readPlan } from '../../support/database/query-plan.ts';
import { createTestDatabase } from '../../support/environment.ts';

let db: Database;
let drop: () => Promise<void>;
before(async () => {
  const database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 2 });
  drop = database.drop;
});
after(async () => {
  await db.destroy();
  await drop();
});

async function fill(username: string, count: number): Promise<string> {
  const now = new Date();
  const email = `${username}@example.org`;
  const { id } = await createUser(db, { username, name: username, email, passwordHash: 'x', now });
  const derived = JSON.stringify({ excerpt: 'An abstract.', topicSignals: ['alpha'] });
  // Disables the notifying triggers, which are slow. The trigger of `is_canonical` is needed.
  await sql`alter table articles disable trigger user`.execute(db);
  await sql`alter table articles enable trigger decide_canonical`.execute(db);
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, published_at, source, body, derived,
      fingerprint, content_hash)
    select ${id}::uuid, ${username} || n, 'T' || n, 't' || n, 'self:' || ${username} || n, '{}', 'PUBLISHED', now() - n * interval '1 second',
      '', '', ${derived}::jsonb, ''::bytea, '' from generate_series(1, ${count}::int) n`.execute(db);
  await sql`alter table articles enable trigger user`.execute(db);
  return id;
}

test('the newest articles are read from the index, and no more than are listed', async () => {
  await fill('prolific', 3_000);
  await sql`analyze`.execute(db);
  const plan = await readPlan(db, sql`${selectForCatalogue(db, 50)}`);
  const scans = plan.filter(({ relation }) => relation === 'articles');
  assert.ok(
    scans.some(({ index }) => index === 'articles_published_idx'),
    JSON.stringify(scans),
  );
  for (const { rowsRead, kind } of scans) assert.ok(rowsRead <= 60, `${kind} read ${rowsRead} rows`);
});

test('articles are listed with abstract and topics; those with search=no are not listed', async () => {
  const quiet = await fill('quiet', 1);
  const [first] = await listForCatalogue(db, 1);
  assert.deepEqual([first?.slug, first?.abstract, first?.topicSignals], ['quiet1', 'An abstract.', ['alpha']]);
  await db.updateTable('users').set({ contentSignal: 'search=no, ai-train=no' }).where('id', '=', quiet).execute();
  assert.deepEqual(
    (await listForCatalogue(db, 5)).filter(({ authorUsername }) => authorUsername === 'quiet'),
    [],
  );
});
