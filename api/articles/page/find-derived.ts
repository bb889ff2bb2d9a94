/** Finds an article with its derived data. Derives it first if the deriver has not done so. */
import type { FastifyBaseLogger } from 'fastify';
import type { DerivedArticle } from '../../../article/types.ts';
import { type ArticleWithAuthor, findArticleBySlug } from '../../../store/articles/find-for-readers.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { type DeriveDeps, deriveStoredArticle } from '../../documents/derive-stored.ts';
import { type DocumentPool, DocumentsBusyError } from '../../documents/pool.ts';

/** The pool runs one job per owner, so readers occupy at most one thread. */
const OWNER = 'readers';
/** The deriver, which has a longer time limit, usually succeeds before this. */
const RETRY_AFTER_MS = 60_000;

/**
 * Finds the article at a slug in any state. After deriving, the row is read again: the author may
 * have changed or unpublished the article meanwhile, and a page must show one consistent state.
 */
export async function findDerived(
  deps: DeriveDeps & { log: FastifyBaseLogger },
  slug: string,
): Promise<ArticleWithAuthor | undefined> {
  for (let remainingTries = 2; ; remainingTries--) {
    const row = await findArticleBySlug(deps.db, slug);
    if (row?.status !== 'PUBLISHED' || isDerived(row) || remainingTries === 0) return row;
    if (!(await deriveOnce(deps, row.id))) remainingTries = 1;
  }
}

/** Data of an older renderer version counts as derived; the deriver replaces it later. */
export function isDerived(row: ArticleWithAuthor): row is ArticleWithAuthor & { derived: DerivedArticle } {
  return row.derivedVersion > 0;
}

const inProgress = new WeakMap<DocumentPool, Map<string, Promise<boolean>>>();

/** Concurrent requests share one run per article. Resolves to false if a retry would fail too. */
function deriveOnce({ log, ...deps }: Parameters<typeof findDerived>[0], articleId: string): Promise<boolean> {
  const { documents } = deps;
  const runs = inProgress.get(documents) ?? new Map<string, Promise<boolean>>();
  inProgress.set(documents, runs);
  const running = runs.get(articleId);
  if (running) return running;
  const removeRun = () => runs.delete(articleId);
  const derived = deriveStoredArticle(deps, { owner: OWNER, articleId, whenTooComplex: 'leave' }).then(
    () => {
      removeRun();
      return true;
    },
    (error: unknown) => {
      if (error instanceof DocumentsBusyError || isDatabaseUnavailable(error)) removeRun();
      else setTimeout(removeRun, RETRY_AFTER_MS).unref();
      if (isDatabaseUnavailable(error)) throw error;
      log.warn(
        { err: error, articleId },
        'cannot render an article for its reader; showing it as its publish stored it',
      );
      return false;
    },
  );
  runs.set(articleId, derived);
  return derived;
}
