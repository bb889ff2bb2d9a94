/** A refused command as REST and GraphQL say it. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { ProblemError } from './problem.ts';

export interface RefusalAnswers {
  problem: ProblemError;
  /** Beside the message of a GraphQL error. */
  extensions: { code: string; field?: string };
}

/** Null where the error is something else. */
export function describeRefusedCommand(error: unknown): RefusalAnswers | null {
  if (!(error instanceof RefusedCommandError)) return null;
  const { code, message, field } = error;
  const [status, problemCode] = PROBLEMS[code] ?? [409, code.toLowerCase()];
  const errors = field === undefined ? [] : [{ path: field, message }];
  return {
    problem: new ProblemError(status, problemCode, message, { errors }),
    extensions: { code, ...(field === undefined ? {} : { field }) },
  };
}

/** What REST said before GraphQL had a code for it. */
const PROBLEMS: Record<string, [status: number, code: string]> = { SUSPENDED: [403, 'author_suspended'] };
