/** Lists of articles for readers: of the site, an author, a tag, a series. */
import { type RawBuilder, sql } from 'kysely';

/** A value, or the column that holds it in a query over many lists. */
type Value = string | RawBuilder<unknown>;

export type ArticleList =
  | { kind: 'site' }
  | { kind: 'author'; authorId: Value }
  /** Normalised like the tags of articles: see `normaliseTags`. */
  | { kind: 'tag'; tag: Value }
  | { kind: 'author-tag'; authorId: Value; tag: Value }
  | { kind: 'series'; seriesId: Value };

export const isPublishedCanonical = sql<boolean>`articles.is_canonical`;

/** Whether an article is listed: canonical, and its author (`users`) not suspended. */
export const isListed = sql<boolean>`${isPublishedCanonical} and users.suspended_at is null`;

/** Whether neither the article nor its author (`users`) opts out of search by programs. */
export const maySearch = sql<boolean>`(coalesce(articles.content_signal, '') || ' ' || coalesce(users.content_signal, '')) !~ 'search=no'`;

/** Whether a row of `users` is excluded from search. `users_unsearched_idx` has the same text. */
export const isUnsearched = sql<boolean>`(suspended_at is not null or content_signal ~ 'search=no')`;

/** A cursor in a list. Microseconds since 1970, because a `Date` has only milliseconds. */
export interface ListPosition {
  publishedAt: number;
  id: string;
}

/** `from` to `order by`, newest first, each kind from its own index. `after` is a cursor. */
export function selectNewest(list: ArticleList, after: ListPosition | null = null): RawBuilder<unknown> {
  const { from, where, time, id } = describeList(list);
  const afterCursor = after ? sql`and (${time}, ${id}) < (${readMicros(after.publishedAt)}, ${after.id}::uuid)` : sql``;
  return sql`from ${from} join users on users.id = articles.author_id where ${where} ${afterCursor} and ${isListed}
    order by ${time} desc, ${id} desc`;
}

/** Converts microseconds since 1970 to a `timestamptz`. */
export function readMicros(micros: number): RawBuilder<Date> {
  return sql<Date>`('epoch'::timestamptz + ${micros}::float8 * interval '1 microsecond')`;
}

interface ListQuery {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  time: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
}

function describeList(list: ArticleList): ListQuery {
  const from = sql`articles`;
  const order = { time: sql`articles.published_at`, id: sql`articles.id` };
  switch (list.kind) {
    case 'site':
      // Implied by `isListed`; repeated so that PostgreSQL uses the index of published articles.
      return { from, where: sql`articles.status = 'PUBLISHED'`, ...order };
    case 'author':
      return { from, where: sql`articles.author_id = ${list.authorId}`, ...order };
    case 'series':
      return { from, where: sql`articles.part_of = ${list.seriesId}`, ...order };
    case 'tag':
      return describeTagged(sql`listed.tag = ${list.tag}`);
    case 'author-tag':
      return describeTagged(sql`listed.author_id = ${list.authorId} and listed.tag = ${list.tag}`);
  }
}

function describeTagged(where: RawBuilder<unknown>): ListQuery {
  return {
    from: sql`article_tags listed join articles on articles.id = listed.article_id`,
    where,
    time: sql`listed.published_at`,
    id: sql`listed.article_id`,
  };
}
