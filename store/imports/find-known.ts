/** The article here that a post elsewhere is already. */
import type { Kysely } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
import { buildSlug } from '../../article/identity/slug.ts';
import type { ImportSource } from '../../article/import/place.ts';
import type { ArticleDraft } from '../../article/types.ts';
import { buildSearch, chooseExisting } from '../articles/publish/find-existing.ts';
import type { DB } from '../db/types.ts';

export interface SoughtPost {
  authorId: string;
  source: ImportSource;
  /** See `Place.origin`. */
  origin: string;
  remoteId: string;
  draft: ArticleDraft;
  baseUrl: string;
}

export interface KnownArticle {
  id: string;
  isHere: boolean;
  reason: string;
}

/** By where it came from; else as a publish of the same document would be matched. */
export async function findKnown(db: Kysely<DB>, post: SoughtPost): Promise<KnownArticle | null> {
  const imported = await findImported(db, post);
  if (imported) return imported;
  const { authorId, draft, baseUrl } = post;
  const meant = { authorId, draft, baseUrl };
  const { rows } = await db.executeQuery(buildSearch(db, meant, buildSlug(draft.title)));
  const { existing } = chooseExisting(rows, meant);
  if (!existing) return null;
  const row = await db
    .selectFrom('articles')
    .select(['id', 'deletedAt', 'titleKey'])
    .where('id', '=', existing.id)
    .executeTakeFirstOrThrow();
  const isByTitle = draft.canonicalUrl === null || existing.givenCanonicalUrl === null;
  // Two posts of one source are two, whatever they are called.
  if (isByTitle && row.titleKey === buildTitleKey(draft.title) && (await isFromThere(db, post, row.id))) return null;
  return describeKnown(
    row,
    isByTitle
      ? 'An article with this title or address is here already.'
      : 'An article with this canonical URL is here already.',
  );
}

/** By where it came from alone. */
export async function findImported(
  db: Kysely<DB>,
  { authorId, source, origin, remoteId }: Pick<SoughtPost, 'authorId' | 'source' | 'origin' | 'remoteId'>,
): Promise<KnownArticle | null> {
  const row = await db
    .selectFrom('articleOrigins')
    .innerJoin('articles', 'articles.id', 'articleOrigins.articleId')
    .select(['articles.id', 'articles.deletedAt'])
    .where('articleOrigins.authorId', '=', authorId)
    .where('articleOrigins.source', '=', source)
    .where('origin', '=', origin)
    .where('remoteId', '=', remoteId)
    .executeTakeFirst();
  return row ? describeKnown(row, 'Imported before.') : null;
}

function describeKnown({ id, deletedAt }: { id: string; deletedAt: Date | null }, reason: string): KnownArticle {
  if (deletedAt === null) return { id, isHere: true, reason };
  return { id, isHere: false, reason: 'You deleted it here; an import does not bring it back. Publish it to do so.' };
}

async function isFromThere(db: Kysely<DB>, { source, origin }: SoughtPost, articleId: string): Promise<boolean> {
  const row = await db
    .selectFrom('articleOrigins')
    .select('articleId')
    .where('articleId', '=', articleId)
    .where('source', '=', source)
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row !== undefined;
}
