/** Refusals that more than one interface has to say, in the same words. */
import { ProblemError } from './problem.ts';

export const DATABASE_AWAY =
  'The service cannot reach its database just now. Nothing was changed; try again in a moment.';

/** For what nobody expected: the request's id leads to the log, and nothing of the inside is shown. */
export function brokenOnOurSide(requestId: string): string {
  return `Something broke on our side. Quote request ${requestId} when you report it.`;
}

export function authorSuspended(): ProblemError {
  const detail = 'This account is suspended and cannot publish. Write to the operator.';
  return new ProblemError(403, 'author_suspended', detail);
}
