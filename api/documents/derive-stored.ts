/** Derives a stored article in the document pool and stores the result. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import { TooComplexError } from '../../article/errors.ts';
import { buildSearchText, MAX_SEARCH_BODY_LENGTH, type SearchText } from '../../article/search/search-text.ts';
import type { DerivedArticle } from '../../article/types.ts';
import { loadUnderived, saveDerived, type UnderivedArticle } from '../../store/articles/derived.ts';
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
   * For a text that exceeds the pool's limits: stores a brief description permanently, or throws,
   * so that a pool with more time can retry. On a busy machine, any text can be slow.
   */
  whenTooComplex: 'describe briefly' | 'leave';
}

/** Does nothing if already derived. Discards the result if the text has changed meanwhile. */
export async function deriveStoredArticle(deps: DeriveDeps, target: DeriveTarget): Promise<void> {
  const article = await loadUnderived(deps.db, target.articleId);
  if (article === null) return;
  const derived = await derive(deps, target, article);
  // Destinations have received this excerpt. Under newer rules, an unchanged article must not
  // differ from its copies.
  const { excerpt } = article.rendered;
  const stored = { ...derived, excerpt };
  await saveDerived(deps.db, article, stored, await listWords(deps, target, article, stored));
}

/** Sends the thread only the part of the text that it reads. */
async function listWords(
  { documents }: DeriveDeps,
  { owner, whenTooComplex }: DeriveTarget,
  { draft: { title, subtitle, tags } }: UnderivedArticle,
  { plainText, excerpt, headings, language = null }: DerivedArticle,
): Promise<SearchText> {
  const derived = { plainText: plainText.slice(0, MAX_SEARCH_BODY_LENGTH), excerpt, headings, language };
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
