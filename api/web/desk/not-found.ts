/** A 404 of the desk. A row of another author is treated like a missing one. */
import { ProblemError } from '../../plugins/errors/problem.ts';

export function createNotFound(message: string): ProblemError {
  return new ProblemError(404, 'not_found', message);
}
