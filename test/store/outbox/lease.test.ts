/** Tests the leases of outbox entries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import type { Database } from '../../../store/db/database.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { enqueueArticle } from '../../../store/outbox/enqueue.ts';
import { leaseOutbox, removeFromOutbox, returnToOutbox } from '../../../store/outbox/lease.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  const now = new Date();
  const user = await createUser(db, { username: 'ada', name: 'A', email: 'a@example.org', passwordHash: 'x', now });
  for (let n = 0; n < 40; n++) {
    const { id } = await db
      .insertInto('articles')
      .values({
        authorId: user.id,
        slug: `article-${n}`,
        title: `Article ${n}`,
        titleKey: `article ${n}`,
        canonicalKey: `self:article-${n}`,
        crossPost: JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, true]))),
        status: 'DRAFT',
        source: '',
        body: '',
        derived: '{}',
        fingerprint: Buffer.alloc(32),
        contentHash: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await enqueueArticle(db, id);
  }
});
after(() => database.close());

test('an entry is leased by one dispatcher at a time, until its lease expires or it is removed', async () => {
  const batches = await Promise.all(Array.from({ length: 6 }, () => leaseOutbox(db, { limit: 10, leaseMs: 60_000 })));
  const ids = batches.flat().map((entry) => entry.id);
  assert.equal(ids.length, 40);
  assert.equal(new Set(ids).size, 40);
  assert.deepEqual(await leaseOutbox(db, { limit: 10, leaseMs: 60_000 }), []);

  // Moves the end of the leases, because leases that end by the clock could end while the others are taken.
  await sql`update outbox set leased_until = leased_until - interval '60 seconds'`.execute(db);
  const again = await leaseOutbox(db, { limit: 100, leaseMs: 60_000 });
  assert.equal(again.length, 40);
  assert.deepEqual(Object.keys(again[0] ?? {}).sort(), [
    'articleId',
    'authorName',
    'concerned',
    'destination',
    'id',
    'isPublic',
    'platforms',
    'slug',
    'title',
    'traceparent',
    'username',
  ]);

  await returnToOutbox(db, ids.slice(0, 5), 'the server was away');
  assert.deepEqual(await leaseOutbox(db, { limit: 100, leaseMs: 60_000 }), [], 'what was refused waits');
  await eventually(
    'their wait to end',
    async () => (await leaseOutbox(db, { limit: 100, leaseMs: 60_000 })).length === 5,
  );
  await removeFromOutbox(db, ids);
  assert.deepEqual(await db.selectFrom('outbox').select('id').execute(), []);
});

test('entries of users are leased before entries of searches', async () => {
  await db.deleteFrom('outbox').execute();
  const articles = await db.selectFrom('articles').select('id').limit(3).execute();
  const [found, alsoFound, done] = articles.map(({ id }) => id) as [string, string, string];
  for (const articleId of [found, alsoFound])
    await db.insertInto('outbox').values({ articleId, mayWait: true }).execute();
  await enqueueArticle(db, done);
  const order = [];
  for (let n = 0; n < 3; n++) order.push(...(await leaseOutbox(db, { limit: 1, leaseMs: 30_000 })));
  assert.deepEqual(
    order.map((entry) => 'articleId' in entry && entry.articleId),
    [done, found, alsoFound],
  );
});

test('an article without a schedule is leased with the destinations of its deliveries', async () => {
  await db.deleteFrom('outbox').execute();
  const articles = await db.selectFrom('articles').select(['id', 'authorId']).limit(3).execute();
  const [first, second, third] = articles.map(({ id }) => id) as [string, string, string];
  const userId = articles[0]?.authorId ?? '';
  for (const [destination, platform] of [
    ['blogsite_a', 'forem'],
    ['cms_site', 'ghost'],
  ] as const) {
    const connection = { userId, destination, platform, baseUrl: `https://${platform}.example` };
    const accountId = await findOrCreateAccount(db, { ...connection, account: { identity: userId, name: null } });
    await db
      .insertInto('connections')
      .values({ ...connection, accountId, credentialsSealed: Buffer.alloc(1) })
      .execute();
  }
  const deliveries = {
    first: { articleId: first, destination: 'blogsite_a' },
    second: { articleId: second, destination: 'social_feed' },
  } as const;
  await db.insertInto('deliveries').values([deliveries.first, deliveries.second]).execute();
  const crossPost = JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, key !== 'cms_site'])));
  await db.updateTable('articles').set({ syndicate: false }).where('id', '=', second).execute();
  await db
    .updateTable('articles')
    .set((eb) => ({ status: 'PUBLISHED', publishedAt: new Date(), crossPost, dispatch: eb('dispatch', '+', 1) }))
    .where('id', 'in', [first, second])
    .execute();
  for (const articleId of [first, second, third]) {
    await db
      .insertInto('outbox')
      .values({ articleId, wakesArticle: articleId === third })
      .execute();
  }
  const entries = await leaseOutbox(db, { limit: 10, leaseMs: 60_000 });
  assert.deepEqual(
    entries.map((entry) => 'concerned' in entry && entry.concerned),
    [['blogsite_a'], ['social_feed'], null],
  );
});

test('an entry that another dispatcher is leasing is skipped without waiting', async () => {
  await db.deleteFrom('outbox').execute();
  const articles = await db.selectFrom('articles').select('id').limit(2).execute();
  for (const { id } of articles) await enqueueArticle(db, id);
  const leased = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('outbox').select('id').orderBy('id').limit(1).forUpdate().execute();
    return Promise.race([leaseOutbox(db, { limit: 10, leaseMs: 60_000 }), setTimeout(10_000, [])]);
  });
  assert.equal(leased.length, 1);
});

test('a failing entry waits longer after each failure, up to five minutes', async () => {
  await db.deleteFrom('outbox').execute();
  const { id: articleId } = await db.selectFrom('articles').select('id').executeTakeFirstOrThrow();
  await enqueueArticle(db, articleId);
  const waits: number[] = [];
  for (const attempts of [1, 5, 40]) {
    const { id } = await db.updateTable('outbox').set({ attempts }).returning('id').executeTakeFirstOrThrow();
    await returnToOutbox(db, [id], 'refused');
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from leased_until - now())::float8 as seconds from outbox`.execute(db);
    waits.push(rows[0]?.seconds ?? 0);
  }
  assert.ok(waits[0] && waits[0] <= 1, `${waits}`);
  assert.ok(waits[1] && waits[1] > 4 && waits[1] <= 16, `${waits}`);
  assert.ok(waits[2] && waits[2] > 200 && waits[2] <= 300, `${waits}`);
});

test('a mail is leased with its kind and without its recipient', async () => {
  await db.deleteFrom('outbox').execute();
  const { id } = await enqueueMail(db, {
    kind: 'reset_password',
    userId: null,
    email: 'a@example.org',
    now: new Date(),
  });
  const [entry, ...others] = await leaseOutbox(db, { limit: 10, leaseMs: 60_000 });
  assert.deepEqual([entry, others], [{ id: entry?.id, mailId: id, kind: 'reset_password', traceparent: null }, []]);
});
