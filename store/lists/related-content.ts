/** Related content of an article's page: its series, its copies elsewhere, similar articles. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { isListed, isPublishedCanonical } from './article-list.ts';
import { type ArticleCard, CARD_COLUMNS } from './list-articles.ts';

export interface SeriesPart {
  slug: string;
  title: string;
}

/** Public parts in order; null if the article is in no series. */
export async function findArticleSeries(
  db: Kysely<DB>,
  articleId: string,
): Promise<{ id: string; title: string; parts: SeriesPart[] } | null> {
  const { rows } = await sql<SeriesPart & { id: string; series: string }>`
    select series.id, series.title as series, articles.slug, articles.title
    from articles shown join series on series.id = shown.part_of
    join articles on articles.part_of = series.id and ${isPublishedCanonical}
    where shown.id = ${articleId}
    order by articles.part_position, articles.created_at, articles.id limit ${MAX_PARTS}`.execute(db);
  const [first] = rows;
  return first ? { id: first.id, title: first.series, parts: rows.map(({ slug, title }) => ({ slug, title })) } : null;
}

const MAX_PARTS = 200;

/** A live copy. It stays live after its account is disconnected. */
export interface PublicCopy {
  destination: DestinationKey;
  platform: string;
  url: string;
}

export async function listPublicCopies(db: Kysely<DB>, articleId: string): Promise<PublicCopy[]> {
  const { rows } = await sql<PublicCopy>`
    select accounts.destination, accounts.platform, c.remote_url as url
    from copies c join accounts on accounts.id = c.account_id
    where c.article_id = ${articleId} and c.is_current and c.remote_url is not null and c.presence = 'live'
    order by accounts.destination`.execute(db);
  return rows;
}

/** Articles that share the most tags, newest first. Reads only the newest of each tag. */
export async function listRelated(
  db: Kysely<DB>,
  { articleId, tags, limit }: { articleId: string; tags: readonly string[]; limit: number },
): Promise<ArticleCard[]> {
  if (tags.length === 0) return [];
  const { rows } = await sql<ArticleCard>`
    with near as (
      select article_id, count(*) as shared, max(published_at) as published_at
      from unnest(${tags}::text[]) as wanted (tag)
      cross join lateral (select article_id, published_at from article_tags where tag = wanted.tag
        order by published_at desc limit ${MAX_ARTICLES_PER_TAG}) newest
      where article_id <> ${articleId} group by article_id
    )
    select ${CARD_COLUMNS} from (
      select near.* from near join articles on articles.id = near.article_id
      join users on users.id = articles.author_id where ${isListed}
      order by near.shared desc, near.published_at desc, near.article_id limit ${limit}
    ) nearest join articles on articles.id = nearest.article_id join users on users.id = articles.author_id
    order by nearest.shared desc, nearest.published_at desc, articles.id`.execute(db);
  return rows;
}

const MAX_ARTICLES_PER_TAG = 50;
