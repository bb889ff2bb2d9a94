/** Finds public articles of different authors with the same canonical URL. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { Notice } from '../../article/types.ts';
import { prepareOnce } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';

export interface ClashingArticle {
  slug: string;
  authorUsername: string;
}

const MAX_NAMED = 3;

interface CanonicalClaim {
  authorId: string;
  canonicalKey: string;
}

/** Selects other authors' articles with this key, oldest first, one more than a warning names. */
export const buildClashQuery = prepareOnce('find_canonical_clashes', (db, { authorId, canonicalKey }: CanonicalClaim) =>
  selectClashes(sql`(select ${canonicalKey}::text as canonical_key, ${authorId}::uuid as author_id)`).compile(db),
);

/** Warnings for a stored article that is public or scheduled. */
export async function listClashWarnings(db: Kysely<DB>, articleId: string, baseUrl: string): Promise<Notice[]> {
  const claim = sql`(select canonical_key, author_id from articles where id = ${articleId})`;
  const { rows } = await selectClashes(claim).execute(db);
  if (rows.length === 0) return [];
  const article = await db
    .selectFrom('articles')
    .select(['slug', 'givenCanonicalUrl'])
    .where('id', '=', articleId)
    .executeTakeFirstOrThrow();
  return buildClashWarnings(rows, article, baseUrl);
}

/** One warning at most. With an empty `baseUrl` it names articles by their path. */
export function buildClashWarnings(
  others: readonly ClashingArticle[],
  { slug, givenCanonicalUrl }: { slug: string; givenCanonicalUrl: string | null },
  baseUrl: string,
): Notice[] {
  if (others.length === 0) return [];
  const named = others
    .slice(0, MAX_NAMED)
    .map((other) => `${buildArticleUrl(baseUrl, other.slug)} by ${other.authorUsername}`);
  const list = `${named.join(', ')}${others.length > MAX_NAMED ? ' and more' : ''}`;
  const effect = 'All of them stay listed, so readers and search engines may find more than one.';
  const message =
    givenCanonicalUrl === null
      ? `Public articles of other authors use the address of this article, ${buildArticleUrl(baseUrl, slug)}, as their canonical URL: ${list}. ${effect} If it is not the original of their text, write to the operator of this site.`
      : `Public articles of other authors have the same canonical URL ${givenCanonicalUrl}: ${list}. ${effect} If ${givenCanonicalUrl} is not the original of your text, change or remove canonical_url. If ${givenCanonicalUrl} is not the original of their text, write to the operator of this site.`;
  return [{ code: 'canonical_clash', path: 'canonical_url', message }];
}

export interface CanonicalClash {
  canonicalKey: string;
  /** They have at least two authors. */
  articles: ClashingArticle[];
}

/** All clashes of the site, for operators. Reads all public articles. */
export async function listClashes(db: Kysely<DB>): Promise<CanonicalClash[]> {
  const { rows } = await sql<CanonicalClash>`
    with public as (select articles.id, author_id, slug, canonical_key, username from articles join users on users.id = author_id
      where status = 'PUBLISHED' and suspended_at is null),
    clashing as (
      select one.canonical_key, one.id from public one join public other using (canonical_key) where other.author_id <> one.author_id
      union
      select one.canonical_key, unnest(array[one.id, page.id]) from public one
      join public page on one.canonical_key = 'self:' || page.slug where page.author_id <> one.author_id
    )
    select clashing.canonical_key, json_agg(json_build_object('slug', slug, 'authorUsername', username) order by slug) as articles
    from clashing join public using (id) group by clashing.canonical_key order by clashing.canonical_key`.execute(db);
  return rows;
}

/** One search per column: see `selectCandidates`. `status || ''` excludes the partial indexes. */
function selectClashes(claim: RawBuilder<unknown>) {
  const select = sql`select slug, author_id, created_at, id from articles where status || '' = 'PUBLISHED'`;
  return sql<ClashingArticle>`
    select other.slug, users.username as author_username from ${claim} own
    cross join lateral (${select} and canonical_key = own.canonical_key union
      ${select} and slug = case when own.canonical_key like 'self:%' then substr(own.canonical_key, 6) end) other
    cross join lateral (select username from users where id = other.author_id and suspended_at is null limit 1) users
    where other.author_id <> own.author_id
    order by other.created_at, other.id limit ${sql.lit(MAX_NAMED + 1)}`;
}
