/** The lists of articles that readers are shown: everybody's, an author's, those of a tag, those of a series. */
import { type RawBuilder, sql } from 'kysely';
import { isOldestCanonical } from '../articles/find-for-readers.ts';

/** In a query over many lists, the column that has it. */
type Value = string | RawBuilder<unknown>;

export type ArticleList =
  | { kind: 'site' }
  | { kind: 'author'; authorId: Value }
  /** As articles keep their tags: see `normaliseTags`. */
  | { kind: 'tag'; tag: Value }
  | { kind: 'series'; seriesId: Value };

/** Whether a row of `articles`, with its author as `users`, is listed: public, the oldest with its canonical URL, of an author who takes part. */
const isListed = sql<boolean>`articles.status = 'PUBLISHED' and users.suspended_at is null and ${isOldestCanonical}`;

/** The rows of a list, the newest first, each kind from an index of its own: `from`, `where`, `order by`. */
export function selectNewest(list: ArticleList): RawBuilder<unknown> {
  const { from, where, order } = describeList(list);
  return sql`from ${from} join users on users.id = articles.author_id where ${where} and ${isListed} order by ${order}`;
}

interface ListQuery {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

function describeList(list: ArticleList): ListQuery {
  const from = sql`articles`;
  const order = sql`articles.published_at desc, articles.id desc`;
  switch (list.kind) {
    case 'site':
      return { from, where: sql`true`, order };
    case 'author':
      return { from, where: sql`articles.author_id = ${list.authorId}`, order };
    case 'series':
      return { from, where: sql`articles.part_of = ${list.seriesId}`, order };
    case 'tag':
      return {
        from: sql`article_tags listed join articles on articles.id = listed.article_id`,
        where: sql`listed.tag = ${list.tag}`,
        order: sql`listed.published_at desc, listed.article_id desc`,
      };
  }
}
