/** Finds the existing article of a post at a source. */
import type { Kysely } from 'kysely';
import { buildCanonicalKey } from '../../article/identity/canonical-key.ts';
import { buildTitleKey } from '../../article/identity/match.ts';
import type { ImportSource } from '../../article/import/import-address.ts';
import type { ArticleDraft } from '../../article/types.ts';
import { findExisting } from '../articles/publish/find-existing.ts';
import type { DB } from '../db/types.ts';

export interface SourcePostIdentity {
  authorId: string;
  source: ImportSource;
  /** See `ImportPlace.origin`. */
  origin: string;
  remoteId: string;
  draft: ArticleDraft;
  baseUrl: string;
}

export interface KnownArticle {
  id: string;
  isAvailable: boolean;
  /** Matched by origin, id or canonical URL. A title is not enough: two texts may share one. */
  isCertain: boolean;
  reason: string;
}

/** Matches by origin, else like a publish of the same document. */
export async function findKnownArticle(db: Kysely<DB>, post: SourcePostIdentity): Promise<KnownArticle | null> {
  const imported = await findImportedArticle(db, post);
  if (imported) return imported;
  const { authorId, draft, baseUrl } = post;
  const request = { authorId, draft, documentSource: null, baseUrl };
  const existing = await findExisting(db, request);
  if (!existing) return null;
  const row = await db
    .selectFrom('articles')
    .select(['id', 'deletedAt', 'titleKey'])
    .where('id', '=', existing.id)
    .executeTakeFirstOrThrow();
  const canonicalKey = buildCanonicalKey(draft.canonicalUrl, baseUrl);
  const isCertain =
    (canonicalKey !== null && existing.canonicalKey === canonicalKey) ||
    (draft.externalId !== null && [existing.id, existing.externalId].includes(draft.externalId));
  if (isCertain) return describeKnown(row, true, 'You already have an article with this canonical URL or id.');
  // Two posts of one source are two articles, even with equal titles.
  if (row.titleKey === buildTitleKey(draft.title) && (await isFromSource(db, post, row.id))) return null;
  return describeKnown(row, false, POSSIBLE_MATCH);
}

const POSSIBLE_MATCH =
  'You already have an article with this title or address, which may be a different one. If it is the same, set its canonical URL to the URL of the post; otherwise change its title. Then import again.';

/** Matches by origin only. */
export async function findImportedArticle(
  db: Kysely<DB>,
  { authorId, source, origin, remoteId }: Pick<SourcePostIdentity, 'authorId' | 'source' | 'origin' | 'remoteId'>,
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
  return row ? describeKnown(row, true, 'Already imported.') : null;
}

function describeKnown(
  { id, deletedAt }: { id: string; deletedAt: Date | null },
  isCertain: boolean,
  reason: string,
): KnownArticle {
  if (deletedAt === null) return { id, isAvailable: true, isCertain, reason };
  const deletedReason = 'You deleted this article here, and an import does not restore it. To restore it, publish it.';
  return { id, isAvailable: false, isCertain, reason: deletedReason };
}

async function isFromSource(
  db: Kysely<DB>,
  { source, origin }: SourcePostIdentity,
  articleId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('articleOrigins')
    .select('articleId')
    .where('articleId', '=', articleId)
    .where('source', '=', source)
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row !== undefined;
}
