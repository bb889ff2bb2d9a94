/**
 * Fills a database with public articles and their search words, without publishing them one by one.
 */
import { sql } from 'kysely';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import type { Database } from '../../../store/db/database.ts';
import { createUser } from '../../../store/users/create-user.ts';

/**
 * Every text has "common" and "the", a tenth "tenth", one "needle<n>". Published a minute apart,
 * the first one the newest.
 */
export async function fillArticles(db: Database, { count, words }: { count: number; words: number }): Promise<string> {
  const { id } = await createUser(db, {
    username: 'filler',
    name: 'Filler',
    email: 'filler@example.org',
    passwordHash: '!',
    now: new Date(),
  });
  await sql`alter table articles disable trigger user`.execute(db);
  await sql`alter table articles enable trigger decide_canonical`.execute(db);
  await sql`
    insert into articles (author_id, slug, title, title_key, canonical_key, status, published_at, body, source, derived, derived_version,
      content_hash, fingerprint, cross_post, tags, created_at, updated_at, derived_at)
    select ${id}, 'article-' || n, 'Title ' || n, 'title ' || n, 'self:article-' || n, 'PUBLISHED', now() - n * interval '1 minute', text, text,
      jsonb_build_object('plainText', text, 'excerpt', left(text, 200), 'html', text, 'language', 'en', 'readingTimeMinutes', 1,
        'headings', '[]'::jsonb, 'contentHash', ''), ${DERIVED_VERSION}, '', '\\x00', '{}', array['all', 'tag' || n % 1000], now(), now(), now()
    from generate_series(1, ${count}::int) n,
    lateral (select 'The common text needle' || n || case when n % 10 = 0 then ' tenth ' else ' ' end ||
      (select string_agg('word' || (n * 7919 + w * w) % 3000, ' ') from generate_series(1, ${words}::int) w) as text) texts`.execute(
    db,
  );
  await sql`alter table articles enable trigger user`.execute(db);
  await sql`insert into article_tags (tag, published_at, article_id, author_id)
    select tag, published_at, id, author_id from articles, unnest(tags) as tag`.execute(db);
  // Creating the index afterwards takes a tenth of the time.
  await sql`drop index search_entries_words_idx`.execute(db);
  await sql`
    insert into search_entries (article_id, author_id, rules, published_at, words)
    select id, author_id, 'english', published_at, setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'D')
      || array_to_tsvector(tsvector_to_array(to_tsvector('simple', title || ' ' || body)))
      || array_to_tsvector(array['rules/english', 'named/title', 'author/' || author_id, 'tag/all', 'tag/' || tags[2]])
    from articles`.execute(db);
  await sql`create index search_entries_words_idx on search_entries using gin (words) where published_at is not null`.execute(
    db,
  );
  await sql`vacuum analyze articles`.execute(db);
  await sql`vacuum analyze search_entries`.execute(db);
  return id;
}
