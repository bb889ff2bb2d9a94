/** Derives a stored article in the document pool and stores the result. */
import { describeBriefly } from '../../article/describe/describe-briefly.ts';
import { TooComplexError } from '../../article/errors.ts';
import { buildSearchText, MAX_SEARCH_BODY_LENGTH } from '../../article/search/search-text.ts';
import { loadUnderived, saveDerived } from '../../store/articles/derived.ts';
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
  const { db, documents, baseUrl } = deps;
  const { owner, articleId, whenTooComplex } = target;
  const article = await loadUnderived(db, articleId);
  if (article === null) return;
  const { draft, rendered } = article;
  const describeIfTooComplex =
    <T>(fallback: () => T) =>
    (error: unknown): T => {
      if (!(error instanceof TooComplexError) || whenTooComplex === 'leave') throw error;
      return fallback();
    };
  const derived = await documents
    .derive(owner, draft, { siteOrigin: baseUrl })
    .catch(describeIfTooComplex(() => describeBriefly(draft, rendered)));
  // Destinations have received this excerpt. Under newer rules, an unchanged article must not
  // differ from its copies.
  const { excerpt } = rendered;
  const { title, subtitle, tags } = draft;
  const { headings, language = null } = derived;
  // Sends the thread only the part of the text that it reads.
  const plainText = derived.plainText.slice(0, MAX_SEARCH_BODY_LENGTH);
  const words = await documents
    .listWords(owner, { title, subtitle, tags, derived: { plainText, excerpt, headings, language } })
    .catch(
      describeIfTooComplex(() =>
        buildSearchText({ title, subtitle, tags, derived: { plainText: '', excerpt, headings: [], language } }),
      ),
    );
  await saveDerived(db, article, { ...derived, excerpt }, words);
}
