/** The lists of articles that readers are shown: everybody's, an author's, those of a tag, those of a series. */
import { type RawBuilder, sql } from 'kysely';

/** In a query over many lists, the column that has it. */
type Value = string | RawBuilder<unknown>;

export type ArticleList =
  | { kind: 'site' }
  | { kind: 'author'; authorId: Value }
  /** As articles keep their tags: see `normaliseTags`. */
  | { kind: 'tag'; tag: Value }
  | { kind: 'author-tag'; authorId: Value; tag: Value }
  | { kind: 'series'; seriesId: Value };

/** Whether a row of `articles` is a published canonical article (migration 0036). */
export const isPublishedCanonical = sql<boolean>`articles.is_canonical`;

/**
 * Whether an article (with its author as `users`) is listed: canonical, and its author not
 * suspended.
 */
export const isListed = sql<boolean>`${isPublishedCanonical} and users.suspended_at is null`;

/** For lists by which agents and programs find articles: neither the author nor the article says no to it. `users` is the author. */
export const maySearch = sql<boolean>`(coalesce(articles.content_signal, '') || ' ' || coalesce(users.content_signal, '')) !~ 'search=no'`;

/** Of a row of `users`: nothing of theirs is among what a search finds. Has an index, `users_unsearched_idx`, of the same words. */
export const takesNoPart = sql<boolean>`(suspended_at is not null or content_signal ~ 'search=no')`;

/** Where an article stands in a list; the time in microseconds since 1970, which a `Date` has none of. */
export interface ListPosition {
  publishedAt: number;
  id: string;
}

/** The rows of a list, the newest first, each kind from an index of its own: `from`, `where`, `order by`. `after` is the last that is known. */
export function selectNewest(list: ArticleList, after: ListPosition | null = null): RawBuilder<unknown> {
  const { from, where, time, id } = describeList(list);
  const behind = after ? sql`and (${time}, ${id}) < (${readMicros(after.publishedAt)}, ${after.id}::uuid)` : sql``;
  return sql`from ${from} join users on users.id = articles.author_id where ${where} ${behind} and ${isListed}
    order by ${time} desc, ${id} desc`;
}

/** A moment of the database. */
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
