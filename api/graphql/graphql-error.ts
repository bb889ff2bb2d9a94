/** An error that is meant for the client: a stable code beside the message. */
import mercurius from 'mercurius';

export function createGraphqlError(code: string, message: string, more: Record<string, unknown> = {}): Error {
  return new mercurius.ErrorWithProps(message, { code, ...more }, 200);
}
