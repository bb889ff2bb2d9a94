/** Derives an article that is stored as its publish left it, and keeps what was made. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import { TooComplexError } from '../../article/errors.ts';
import { buildSearchText, MAX_BODY, type SearchText } from '../../article/search/search-text.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { keepDerived, loadUnderived, type UnderivedArticle } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import type { DocumentPool } from './pool.ts';

export interface DeriveDeps {
  db: Database;
  documents: DocumentPool;
  baseUrl: string;
}

export interface DeriveTarget {
  owner: string;
  articleId: string;
  /**
   * What becomes of a text that exceeds the limits of the pool: it gets a brief description and its page as it is, for good; or it is left,
   * and the error thrown, for a pool with more time. A busy machine makes any text slow.
   */
  whenTooComplex: 'describe briefly' | 'leave';
}

/** Does nothing where nothing is to do; what was made of a text that has changed meanwhile is dropped. A failure leaves the article as it was. */
export async function deriveStored(deps: DeriveDeps, target: DeriveTarget): Promise<void> {
  const article = await loadUnderived(deps.db, target.articleId);
  if (article === null) return;
  const derived = await derive(deps, target, article);
  // It is part of what destinations were sent: newer rules must not make an unchanged article differ from its copies.
  const { excerpt } = article.rendered;
  const kept = { ...derived, excerpt };
  await keepDerived(deps.db, article, kept, await listWords(deps, target, article, kept));
}

/** No more of the text goes to the thread than is looked at there. */
async function listWords(
  { documents }: DeriveDeps,
  { owner, whenTooComplex }: DeriveTarget,
  { draft: { title, subtitle, tags } }: UnderivedArticle,
  { plainText, excerpt, headings, language = null }: DerivedArticle,
): Promise<SearchText> {
  const derived = { plainText: plainText.slice(0, MAX_BODY), excerpt, headings, language };
  try {
    return await documents.listWords(owner, { title, subtitle, tags, derived });
  } catch (error) {
    if (!(error instanceof TooComplexError) || whenTooComplex === 'leave') throw error;
    return buildSearchText({ title, subtitle, tags, derived: { plainText: '', excerpt, headings: [], language } });
  }
}

async function derive(
  { documents, baseUrl }: DeriveDeps,
  { owner, whenTooComplex }: DeriveTarget,
  { draft, rendered }: UnderivedArticle,
): Promise<DerivedArticle> {
  try {
    return await documents.derive(owner, draft, { siteOrigin: baseUrl });
  } catch (error) {
    if (!(error instanceof TooComplexError) || whenTooComplex === 'leave') throw error;
    return describeBriefly(draft, rendered);
  }
}
