import { ConfigError } from '../../runtime/config/environment.ts';

/** An error message for people: the problem and the next step. Printed without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the text to print for an error: only the message if it was written for people. */
export function describeError(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // Of the operating system, such as "ENOSPC: no space left on device, write" or "EACCES: permission denied, mkdir '…'".
  return 'syscall' in error ? error.message : (error.stack ?? error.message);
}
