/** Creates and revokes developer tokens, which publish in the name of their owner. */
import { cleanLine } from '../../../article/text/clean-text.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { Database } from '../../../store/db/database.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { revokeDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { createOwnToken } from '../../../store/tokens/own-tokens.ts';

interface Deps {
  db: Database;
  now: () => Date;
}

export const MAX_TOKEN_NAME_CHARACTERS = 60;

interface NewToken {
  name: string;
  /** Null if the token is valid until it is revoked. */
  expiresAt: Date | null;
  /** UUID of the sent form. Sending the same form again creates no second token. */
  id?: string;
}

/**
 * Returns the token; only its hash is stored. Errors: BAD_INPUT, IN_THE_PAST, TOO_MANY,
 * ALREADY_MADE.
 */
export async function createNamedToken(
  { db, now }: Deps,
  { userId, sessionId }: { userId: string; sessionId: string },
  { name, expiresAt, id }: NewToken,
): Promise<{ id: string; token: string }> {
  const checked = { name: readName(name), expiresAt: expiresAt && checkExpiry(expiresAt, now()) };
  return createOwnToken(db, { ...checked, userId, sessionId, now: now(), ...(id !== undefined && { id }) });
}

/** Takes effect at once. Errors: NOT_FOUND, also for a token that is already revoked. */
export async function revokeToken({ db, now }: Deps, userId: string, tokenId: string): Promise<void> {
  if (isUuid(tokenId) && (await revokeDeveloperToken(db, { userId, tokenId, now: now() }))) return;
  throw new RefusedCommandError('NOT_FOUND', 'You have no such developer token.', 'id');
}

function readName(text: string): string {
  const name = cleanLine(text);
  if (name !== '' && [...name].length <= MAX_TOKEN_NAME_CHARACTERS) return name;
  const message = `A token needs a name that describes its purpose: one line of at most ${MAX_TOKEN_NAME_CHARACTERS} characters.`;
  throw new RefusedCommandError('BAD_INPUT', message, 'name');
}

function checkExpiry(expiresAt: Date, now: Date): Date {
  if (expiresAt > now) return expiresAt;
  throw new RefusedCommandError('IN_THE_PAST', `${expiresAt.toISOString()} is in the past.`, 'expiresAt');
}
