/** The newest articles for programs: of the site, an author, a tag, or an author's with a tag. And one of them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { canBeName } from '../db/valid-keys.ts';
import { type ArticleList, isListed, type ListPosition, maySearch, selectNewest } from '../lists/article-list.ts';
import { type ArticleCard, CARD_COLUMNS } from './article-card.ts';

export interface CardFilter {
  authorId: string | null;
  /** As articles keep it. */
  tag: string | null;
}

export async function listCards(
  db: Kysely<DB>,
  { authorId, tag }: CardFilter,
  { after, limit }: { after: ListPosition | null; limit: number },
): Promise<ArticleCard[]> {
  const { rows } = await sql<ArticleCard>`select * from (select ${CARD_COLUMNS}, ${maySearch} as may_search
    ${selectNewest(chooseList(authorId, tag), after)}) as listed where may_search limit ${limit}`.execute(db);
  return rows;
}

function chooseList(authorId: string | null, tag: string | null): ArticleList {
  if (authorId !== null) return tag === null ? { kind: 'author', authorId } : { kind: 'author-tag', authorId, tag };
  return tag === null ? { kind: 'site' } : { kind: 'tag', tag };
}

/** Undefined for one that no list has. */
export async function findCard(db: Kysely<DB>, slug: string): Promise<ArticleCard | undefined> {
  if (!canBeName(slug)) return undefined;
  const { rows } =
    await sql<ArticleCard>`select ${CARD_COLUMNS} from articles join users on users.id = articles.author_id
    where articles.slug = ${slug} and ${isListed}`.execute(db);
  return rows[0];
}
