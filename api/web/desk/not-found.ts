/** 404 problems of the desk. A row of another author is treated like a missing one. */
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';

export async function toNotFound<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RefusedCommandError) || error.code !== 'NOT_FOUND') throw error;
    throw createNotFound(error.message);
  }
}

export function createNotFound(message: string): ProblemError {
  return new ProblemError(404, 'not_found', message);
}
