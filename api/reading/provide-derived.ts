/** What readers are shown of an article: as it was derived, or derived now because they were faster than the deriver. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { type ArticlePage, findArticleBySlug } from '../../store/articles/find-for-readers.ts';
import { type DeriveDeps, deriveStored } from '../documents/derive-stored.ts';
import { type DocumentPool, DocumentsBusyError } from '../documents/pool.ts';

/** At most one thread works for readers. */
const OWNER = 'readers';

export async function provideDerived(deps: DeriveDeps, row: ArticlePage): Promise<DerivedArticle> {
  if (isDerived(row)) return row.derived;
  const derived = await deriveOnce(deps, row.id);
  if (derived !== null) return derived;
  // Somebody else has derived it, or changed it, or all threads are busy.
  const later = (await findArticleBySlug(deps.db, row.slug)) ?? row;
  return isDerived(later) ? later.derived : describeBriefly(later, later.derived);
}

/** An older version of the renderer will do until the deriver comes to it. */
function isDerived(row: ArticlePage): row is ArticlePage & { derived: DerivedArticle } {
  return row.derivedVersion > 0;
}

const inProgress = new WeakMap<DocumentPool, Map<string, Promise<DerivedArticle | null>>>();

/** All who ask for an article meanwhile get the same. */
async function deriveOnce(deps: DeriveDeps, articleId: string): Promise<DerivedArticle | null> {
  const { documents } = deps;
  const known = inProgress.get(documents) ?? new Map<string, Promise<DerivedArticle | null>>();
  inProgress.set(documents, known);
  const begun = known.get(articleId);
  if (begun) return begun;
  const derived = deriveStored(deps, OWNER, articleId)
    .catch((error: unknown) => {
      if (error instanceof DocumentsBusyError) return null;
      throw error;
    })
    .finally(() => known.delete(articleId));
  known.set(articleId, derived);
  return derived;
}
