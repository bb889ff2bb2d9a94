/** An error message for people: the problem and the next step. Printed without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the text to print for an error: only the message if it was written for people. */
export function describeError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
