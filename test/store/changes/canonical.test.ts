/**
 * Compares lists, the log of changes and notifications after random changes of two authors with the
 * canonical articles: PUBLISHED, and their author's oldest with the canonical URL.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { CHANGE_CHANNEL, findLastSettled, listChanges, pruneChanges } from '../../../store/changes/list-changes.ts';
import { isListed } from '../../../store/lists/article-list.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { runs } from '../../support/property-runs.ts';

let database: OpenTestDatabase;
let listener: pg.Client;
let announced: string[] = [];
before(async () => {
  database = await openTestDatabase();
  listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  listener.on('notification', ({ payload }) => announced.push(...(payload ?? '').split(' ')));
  await listener.query(`listen ${CHANGE_CHANNEL}`);
});
after(async () => {
  await listener.end();
  await database.close();
});

const AUTHORS = ['ada', 'bob'] as const;
const KEYS = ['https://example.org/one', 'https://example.org/two', 'self:ada-0'];
const SLOTS = 4;
type State = 'PUBLISHED' | 'DRAFT';

/** Each author has articles `<author>-<slot>`; a lower slot means an older article. */
interface Action {
  kind: 'set' | 'state of all' | 'suspend' | 'thin out';
  author: (typeof AUTHORS)[number];
  slot: number;
  key: number;
  state: State;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('set' as const) },
    { weight: 2, arbitrary: fc.constant('state of all' as const) },
    { weight: 1, arbitrary: fc.constantFrom('suspend' as const, 'thin out' as const) },
  ),
  author: fc.constantFrom(...AUTHORS),
  slot: fc.nat(SLOTS - 1),
  key: fc.nat(KEYS.length - 1),
  state: fc.constantFrom('PUBLISHED' as const, 'PUBLISHED' as const, 'DRAFT' as const),
});

/** Applies the rule of the specification to all articles ever written. */
class Model {
  articles = new Map<string, { author: string; slot: number; key: number; state: State }>();
  suspended = new Set<string>();

  apply({ kind, author, slot, key, state }: Action) {
    if (kind === 'set') this.articles.set(`${author}-${slot}`, { author, slot, key, state });
    if (kind === 'suspend' && !this.suspended.delete(author)) this.suspended.add(author);
    if (kind === 'state of all') {
      for (const article of this.articles.values()) if (article.author === author) article.state = state;
    }
  }

  listed(): string[] {
    const all = [...this.articles.values()].filter(({ state }) => state === 'PUBLISHED');
    const isOldest = (one: (typeof all)[number]) =>
      !all.some(({ author, key, slot }) => author === one.author && key === one.key && slot < one.slot);
    return all
      .filter((one) => !this.suspended.has(one.author) && isOldest(one))
      .map(({ author, slot }) => `${author}-${slot}`)
      .sort();
  }
}

let round = 0;
/** User names and slugs contain the number of the round, so that rounds are independent. */
const nameInRound = (name: string) => `${name}-in-${round}`;

/** Returns the position of the last change before the round. */
async function setUp(): Promise<number> {
  round += 1;
  for (const author of AUTHORS) {
    const name = nameInRound(author);
    await sql`with author as (
        insert into users (username, name, email, password_hash) values (${name}, 'A', ${`${name}@example.org`}, '') returning id)
      insert into series (author_id, title, title_key, created_at) select id, n::text, n::text, now() from author, generate_series(0, ${SLOTS - 1}) n`.execute(
      database.db,
    );
  }
  return findLastSettled(database.db);
}

/** Puts each article into its own series, so that announcements name the article. */
async function run({ kind, author, slot, key, state }: Action) {
  const { db } = database;
  const authorId = sql`(select id from users where username = ${nameInRound(author)})`;
  if (kind === 'thin out') return pruneChanges(db);
  if (kind === 'suspend') {
    await sql`update users set suspended_at = case when suspended_at is null then now() end where username = ${nameInRound(author)}`.execute(
      db,
    );
  } else if (kind === 'state of all') {
    await sql`update articles set status = ${state} where author_id = ${authorId}`.execute(db);
  } else {
    await sql`
      insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived, fingerprint, content_hash,
        published_at, created_at, part_of)
      values (${authorId}, ${nameInRound(`${author}-${slot}`)}, 'A', 'a', ${KEYS[key]}, '{}', ${state}, '', '', '{}', '', '', now(),
        '2026-01-01'::timestamptz + make_interval(days => ${slot}::int),
        (select id from series where author_id = ${authorId} and title = ${String(slot)}))
      on conflict (slug) do update set canonical_key = excluded.canonical_key, status = excluded.status`.execute(db);
  }
}

const shorten = (slug: string) => slug.replace(/-in-\d+$/, '');

async function findListed(): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`select articles.slug from articles join users on users.id = author_id
    where ${isListed} and slug like ${nameInRound('%')} order by slug`.execute(database.db);
  return rows.map(({ slug }) => shorten(slug));
}

/** A client that replays the changes after its last position (`number`). */
class Follower {
  known = new Set<string>();
  number: number;

  constructor(start: number) {
    this.number = start;
  }

  async follow() {
    const changes = await listChanges(database.db, { after: this.number, limit: 1_000 });
    for (const { slug: inRound, change, number } of changes) {
      const slug = shorten(inRound);
      this.number = number;
      if (change === 'added') this.known.add(slug);
      if (change === 'changed') assert.ok(this.known.has(slug), `${slug} is changed and was never added`);
      if (change === 'withdrawn') this.known.delete(slug);
    }
    return [...this.known].sort();
  }
}

async function findCacheTags(slug: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; authorId: string; partOf: string }>`
    select id, author_id, part_of from articles where slug = ${nameInRound(slug)}`.execute(database.db);
  const [article] = rows;
  return article ? [`article:${article.id}`, `author:${article.authorId}`, `series:${article.partOf}`, 'articles'] : [];
}

test('after every change of two authors, lists and replayed changes are the published canonical articles, and every changed page is announced (A35)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 20 }), async (actions) => {
      const start = await setUp();
      const model = new Model();
      const follower = new Follower(start);
      for (const step of actions) {
        const before = model.listed();
        announced = [];
        await run(step);
        model.apply(step);
        const expected = model.listed();
        assert.deepEqual(await findListed(), expected);
        assert.deepEqual(await follower.follow(), expected);
        assert.deepEqual(await new Follower(start).follow(), expected, 'from the beginning');
        // PostgreSQL sends notifications before the result of a later query.
        await listener.query('select 1');
        const differs = [...before, ...expected].filter((slug) => before.includes(slug) !== expected.includes(slug));
        for (const slug of differs) {
          for (const cacheTag of await findCacheTags(slug)) {
            // A suspension announces no series, because pages of a series depend on the author and
            // each article, which it announces.
            if (step.kind === 'suspend' && cacheTag.startsWith('series:')) continue;
            assert.ok(announced.includes(cacheTag), `${slug}: ${cacheTag}`);
          }
        }
      }
    }),
    { numRuns: runs(60), includeErrorInReport: true },
  );
});

const set = (slot: number, key: number, state: State = 'PUBLISHED', author: Action['author'] = 'ada'): Action => ({
  ...{ kind: 'set', author, slot, key, state },
});

async function reportChange(step: Action): Promise<string[]> {
  const after = await findLastSettled(database.db);
  await run(step);
  const changes = await listChanges(database.db, { after, limit: 1_000 });
  return changes.map(({ slug, change }) => `${shorten(slug)} ${change}`).sort();
}

test("withdrawing, moving or republishing an author's oldest article with a canonical URL also reports the next one", async () => {
  await setUp();
  assert.deepEqual(await reportChange(set(0, 0)), ['ada-0 added']);
  assert.deepEqual(await reportChange(set(1, 0)), [], 'a duplicate is no news');
  assert.deepEqual(await reportChange(set(0, 0, 'PUBLISHED', 'bob')), ['bob-0 added'], 'another author is');
  assert.deepEqual(await reportChange(set(0, 0, 'DRAFT')), ['ada-0 withdrawn', 'ada-1 added']);
  assert.deepEqual(await reportChange(set(0, 0)), ['ada-0 added', 'ada-1 withdrawn']);
  assert.deepEqual(await reportChange(set(0, 1)), ['ada-0 changed', 'ada-1 added']);
  assert.deepEqual(await reportChange(set(1, 1)), ['ada-1 withdrawn']);
});

test('if one statement publishes three articles with one canonical URL, the oldest is listed', async () => {
  const start = await setUp();
  for (const step of [set(1, 0, 'DRAFT'), set(2, 0), set(0, 0, 'DRAFT')]) await run(step);
  await run({ kind: 'state of all', author: 'ada', slot: 0, key: 0, state: 'PUBLISHED' });
  assert.deepEqual(await findListed(), ['ada-0']);
  assert.deepEqual(await new Follower(start).follow(), ['ada-0']);
});

test('if two articles of an author with one canonical URL are published at once, one is listed', async () => {
  const start = await setUp();
  await run(set(0, 0, 'DRAFT'));
  await run(set(1, 1));
  const { db } = database;
  const second = await db.transaction().execute(async (tx) => {
    await sql`update articles set status = 'PUBLISHED' where slug = ${nameInRound('ada-0')}`.execute(tx);
    const concurrent = run(set(1, 0));
    await waitForLock(db, 1);
    return { concurrent };
  });
  await second.concurrent;
  assert.deepEqual(await findListed(), ['ada-0']);
  assert.deepEqual(await new Follower(start).follow(), ['ada-0']);
});
