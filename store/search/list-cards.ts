/** The newest articles for programs and for the archive: of the site, an author, a tag, or an author's with a tag. And one of them. */
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

/** What is not to be found (`search=no`) is kept from programs; whoever reads the site sees all of it. */
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

/** Undefined for one that no list has. */
export async function findCard(db: Kysely<DB>, slug: string): Promise<ArticleCard | undefined> {
  if (!canBeName(slug)) return undefined;
  const { rows } =
    await sql<ArticleCard>`select ${CARD_COLUMNS} from articles join users on users.id = articles.author_id
    where articles.slug = ${slug} and ${isListed}`.execute(db);
  return rows[0];
}
