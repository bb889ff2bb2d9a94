/** Derives an article that is stored as its publish left it, and keeps what was made. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import { TooComplexError } from '../../article/errors.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { keepDerived, loadUnderived, type UnderivedArticle } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import type { DocumentPool } from './pool.ts';

export interface DeriveDeps {
  db: Database;
  documents: DocumentPool;
  baseUrl: string;
}

/**
 * Null where nothing was to do, or the article is another one by now. What is too complex gets its colours and its description never, and
 * is not tried again; any other failure is thrown and leaves the article as it was.
 */
export async function deriveStored(deps: DeriveDeps, owner: string, articleId: string): Promise<DerivedArticle | null> {
  const article = await loadUnderived(deps.db, articleId);
  if (article === null) return null;
  const derived = await derive(deps, owner, article);
  return (await keepDerived(deps.db, article, derived)) ? derived : null;
}

async function derive(
  { documents, baseUrl }: DeriveDeps,
  owner: string,
  { draft, rendered }: UnderivedArticle,
): Promise<DerivedArticle> {
  try {
    return await documents.derive(owner, draft, { siteOrigin: baseUrl });
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    return describeBriefly(draft, rendered);
  }
}
