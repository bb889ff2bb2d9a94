/** Lists the newest articles of the site, an author or a tag, for programs and for the archive. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';
import { type ArticleList, isListed, type ListPosition, maySearch, selectNewest } from '../lists/article-list.ts';
import { type ArticleCard, CARD_COLUMNS } from './article-card.ts';

export interface CardFilter {
  authorId: string | null;
  /** Normalised like the tags of articles. */
  tag: string | null;
}

/** Programs do not get articles with `search=no`. People get all. */
export type ListReader = 'person' | 'program';

export async function listCards(
  db: Kysely<DB>,
  { authorId, tag }: CardFilter,
  { after, limit, reader }: { after: ListPosition | null; limit: number; reader: ListReader },
): Promise<ArticleCard[]> {
  const maySee = reader === 'person' ? sql`true` : maySearch;
  const { rows } = await sql<ArticleCard>`select * from (select ${CARD_COLUMNS}, ${maySee} as may_see
    ${selectNewest(chooseList(authorId, tag), after)}) as listed where may_see limit ${limit}`.execute(db);
  return rows;
}

function chooseList(authorId: string | null, tag: string | null): ArticleList {
  if (authorId !== null) return tag === null ? { kind: 'author', authorId } : { kind: 'author-tag', authorId, tag };
  return tag === null ? { kind: 'site' } : { kind: 'tag', tag };
}

/** Undefined if the article is not listed. */
export async function findCard(db: Kysely<DB>, slug: string): Promise<ArticleCard | undefined> {
  if (!isStorableName(slug)) return undefined;
  const { rows } =
    await sql<ArticleCard>`select ${CARD_COLUMNS} from articles join users on users.id = articles.author_id
    where articles.slug = ${slug} and ${isListed}`.execute(db);
  return rows[0];
}
