/**
 * An error that a person is meant to read: what is wrong and what to do about it. Printed without a stack.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** What to print of any error: the sentence alone when it was written for people. */
export function describeError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
