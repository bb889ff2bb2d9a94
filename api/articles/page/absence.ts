/** What programs are told at the address of an article that is not there. Pages and their Markdown say the same in their own forms. */
import { buildProblemResponse, ProblemError } from '../../plugins/errors/problem.ts';
import type { ArticleAtSlug } from './find-article.ts';

/** For the schema of a route. */
export const ABSENCE_RESPONSES = {
  404: buildProblemResponse('No such article.'),
  410: buildProblemResponse('The article was withdrawn.'),
};

/** Of an article that is there: that another one has its canonical URL. */
export function explainAbsence({ kind }: ArticleAtSlug): ProblemError {
  return kind === 'withdrawn'
    ? new ProblemError(410, 'withdrawn', 'This article is no longer published.')
    : new ProblemError(404, 'not_found', 'There is no published canonical article with this slug.');
}
