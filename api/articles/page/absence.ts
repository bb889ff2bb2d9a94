/** JSON errors for an absent or withdrawn article. `alternates.ts` has those for pages. */
import { buildProblemResponse, ProblemError } from '../../plugins/errors/problem.ts';
import type { ArticleAtSlug } from './find-article.ts';

/** Entries for the response schema of a route. */
export const ABSENCE_RESPONSES = {
  404: buildProblemResponse('No such article.'),
  410: buildProblemResponse('The article is no longer published.'),
};

/**
 * A found article also gives 404: this is for routes that serve only canonical articles, and a
 * found one may be a duplicate of another.
 */
export function createAbsenceProblem({ kind }: ArticleAtSlug): ProblemError {
  return kind === 'withdrawn'
    ? new ProblemError(410, 'withdrawn', 'This article is no longer published.')
    : new ProblemError(404, 'not_found', 'No published canonical article has this slug.');
}
