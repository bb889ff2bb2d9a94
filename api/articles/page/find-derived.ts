/** An article as readers are shown it: as it was derived, or derived now because they were faster than the deriver. */
import type { FastifyBaseLogger } from 'fastify';
import type { DerivedArticle } from '../../../article/types.ts';
import { type ArticlePage, findArticleBySlug } from '../../../store/articles/find-for-readers.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { type DeriveDeps, deriveStored } from '../../documents/derive-stored.ts';
import { type DocumentPool, DocumentsBusyError } from '../../documents/pool.ts';

/** At most one thread works for readers. */
const OWNER = 'readers';
/** The deriver, which has more time for it, mostly comes sooner. */
const TRY_AGAIN_MS = 60_000;

/**
 * The article at a slug, whatever its state. A public one that is not derived is derived now, and then read again: its author may have
 * changed it meanwhile or taken it back, and all that is shown must be of one moment.
 */
export async function findDerived(
  deps: DeriveDeps & { log: FastifyBaseLogger },
  slug: string,
): Promise<ArticlePage | undefined> {
  for (let triesLeft = 2; ; triesLeft--) {
    const row = await findArticleBySlug(deps.db, slug);
    if (row?.status !== 'PUBLISHED' || isDerived(row) || triesLeft === 0) return row;
    if (!(await deriveOnce(deps, row.id))) triesLeft = 1;
  }
}

/** An older version of the renderer will do until the deriver comes to it. */
export function isDerived(row: ArticlePage): row is ArticlePage & { derived: DerivedArticle } {
  return row.derivedVersion > 0;
}

const inProgress = new WeakMap<DocumentPool, Map<string, Promise<boolean>>>();

/** All who ask for an article meanwhile wait for the same. False where another try would fail as well. */
function deriveOnce({ log, ...deps }: Parameters<typeof findDerived>[0], articleId: string): Promise<boolean> {
  const { documents } = deps;
  const known = inProgress.get(documents) ?? new Map<string, Promise<boolean>>();
  inProgress.set(documents, known);
  const begun = known.get(articleId);
  if (begun) return begun;
  const forget = () => known.delete(articleId);
  const derived = deriveStored(deps, { owner: OWNER, articleId, whenTooComplex: 'leave' }).then(
    () => {
      forget();
      return true;
    },
    (error: unknown) => {
      if (error instanceof DocumentsBusyError || isDatabaseUnavailable(error)) forget();
      else setTimeout(forget, TRY_AGAIN_MS).unref();
      if (isDatabaseUnavailable(error)) throw error;
      log.warn(
        { err: error, articleId },
        'an article was not derived for its reader; it is shown as its publish left it',
      );
      return false;
    },
  );
  known.set(articleId, derived);
  return derived;
}
