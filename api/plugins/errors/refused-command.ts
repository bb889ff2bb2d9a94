/** Converts a `RefusedCommandError` to a REST problem and to GraphQL extensions. */
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { ProblemError } from './problem.ts';

export interface RejectedCommandResponses {
  problem: ProblemError;
  /** Extensions of the GraphQL error. */
  extensions: { code: string; field?: string };
}

/** Returns null for any other error. */
export function describeRefusedCommand(error: unknown): RejectedCommandResponses | null {
  if (!(error instanceof RefusedCommandError)) return null;
  const { code, message, field } = error;
  const [status, problemCode] = PROBLEMS[code] ?? [409, code.toLowerCase()];
  const errors = field === undefined ? [] : [{ path: field, message }];
  return {
    problem: new ProblemError(status, problemCode, message, { errors }),
    extensions: { code, ...(field === undefined ? {} : { field }) },
  };
}

/** Codes with another spelling in REST, or with another status than 409. */
const PROBLEMS: Record<string, [status: number, code: string]> = {
  SUSPENDED: [403, 'author_suspended'],
  EMAIL_NOT_CONFIRMED: [403, 'email_not_confirmed'],
  UNAUTHENTICATED: [401, 'unauthenticated'],
  RATE_LIMITED: [429, 'rate_limited'],
  STORAGE_FULL: [403, 'storage_full'],
};
