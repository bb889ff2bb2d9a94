/** The rows read for an author with a thousand articles and 100,000 days of page views. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { layOutRange, type RangeName } from '../../../store/calendar/ranges.ts';
import { selectInteractions, selectPageViews } from '../../../store/statistics/count-steps.ts';
import { selectSources } from '../../../store/statistics/list-sources.ts';
import { selectRanking } from '../../../store/statistics/rank-articles.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { readPlan } from '../../support/database/query-plan.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let authorId: string;
before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  authorId = await addPerson(db);
  await addArticle(db, authorId);
  // Each article has views on every third or fourth day of a year, from three sites.
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived, fingerprint,
      content_hash, published_at)
    select author_id, slug || n, title, title_key || n, canonical_key || n, '{}', status, '', '', '{}', '', '', published_at
    from articles, generate_series(2, 1000) n`.execute(db);
  await sql`insert into article_days (article_id, day, views, reading_seconds)
    select id, date '2026-11-22' - (n * 365 / 100), 3, 30 from articles, generate_series(0, 99) n`.execute(db);
  await sql`insert into article_months (article_id, month, views, reading_seconds)
    select article_id, date_trunc('month', day), sum(views), sum(reading_seconds) from article_days group by 1, 2`.execute(
    db,
  );
  await sql`insert into author_days (author_id, day, views) select ${authorId}, day, sum(views) from article_days group by day`.execute(
    db,
  );
  await sql`insert into author_day_hosts (author_id, day, host, views)
    select author_id, day, 'h' || n || '.example', 1 from author_days, generate_series(1, 60) n`.execute(db);
  await sql`analyze`.execute(db);
});
after(() => database.close());

async function countRows(query: RawBuilder<unknown>): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { relation, rowsRead } of await readPlan(database.db, query)) {
    if (relation !== null) rows[relation] = (rows[relation] ?? 0) + rowsRead;
  }
  return rows;
}

const lay = (name: RangeName) => layOutRange(name, { zone: 'Europe/Lisbon', now: new Date('2026-11-22T12:00:00Z') });

test('totals and sources of an author are read from the author’s days, never from those of each article', async () => {
  const subject = { authorId, articleId: null };
  for (const name of ['7d', '30d', '90d', '12m'] as const) {
    const range = lay(name);
    const readings = await countRows(selectPageViews(subject, range));
    assert.deepEqual(Object.keys(readings), ['author_days']);
    assert.ok((readings.author_days ?? 0) <= 366, JSON.stringify(readings));
    const sources = await countRows(selectSources(subject, { span: range.total, limit: 20 }));
    assert.deepEqual(Object.keys(sources), ['author_day_hosts']);
    const interactions = await countRows(selectInteractions(subject, range));
    assert.ok(!('article_days' in interactions));
  }
});

test('the ranking reads the months of each article for twelve months, else only their days', async () => {
  const page = { limit: 25, offset: 0 };
  const months = await countRows(selectRanking(authorId, lay('12m'), page));
  assert.ok(!('article_days' in months));
  assert.ok((months.article_months ?? 0) <= 13_000, JSON.stringify(months));
  const days = await countRows(selectRanking(authorId, lay('30d'), page));
  assert.ok((days.article_days ?? 0) <= 100_000, JSON.stringify(days));
});

test('the numbers of one article are read by its key', async () => {
  const { id } = await database.db.selectFrom('articles').select('id').limit(1).executeTakeFirstOrThrow();
  const nodes = await readPlan(database.db, selectPageViews({ authorId, articleId: id }, lay('12m')));
  const scan = nodes.filter(({ relation, index }) => relation === 'article_days' || index === 'article_days_pkey');
  assert.ok(
    scan.every(({ rowsRead }) => rowsRead <= 100),
    JSON.stringify(scan),
  );
  assert.ok(scan.some(({ index }) => index === 'article_days_pkey'));
});
