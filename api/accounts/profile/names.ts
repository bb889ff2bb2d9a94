/**
 * Rules for the names of accounts. User names are ASCII, which excludes look-alikes of other
 * scripts. The database rejects ASCII look-alikes such as 0 and o, rn and m (`username_look`). Case
 * and width are folded, as in UsernameCaseMapped of RFC 8265.
 */
import { isReservedSlug } from '../../../article/identity/slug.ts';
import { cleanLine } from '../../../article/text/clean-text.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';

/** Reserved, because their owner could pose as the site. Look-alikes are rejected too. */
export const OFFICIAL_NAMES = [
  'abuse',
  'admin',
  'administrator',
  'anonymous',
  'billing',
  'bot',
  'contact',
  'courant',
  'deleted',
  'editor',
  'everyone',
  'help',
  'hostmaster',
  'info',
  'mail',
  'moderator',
  'news',
  'no-reply',
  'noreply',
  'null',
  'official',
  'operator',
  'owner',
  'postmaster',
  'press',
  'root',
  'sales',
  'security',
  'service',
  'staff',
  'support',
  'system',
  'team',
  'undefined',
  'webmaster',
] as const;

export const MAX_DISPLAY_NAME_CHARACTERS = 80;

/** Returns the user name as it is stored. Throws BAD_INPUT or USERNAME_TAKEN. */
export function readUsername(text: string): string {
  const username = text.trim().normalize('NFKC').toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9]|[-_](?=[a-z0-9])){1,38}$/.test(username)) {
    const message =
      'A user name has 2 to 39 letters a to z and digits, with single hyphens or underscores between them.';
    throw new RefusedCommandError('BAD_INPUT', message, 'username');
  }
  if (isReservedSlug(username)) throw createUsernameTakenError();
  return username;
}

/** Returns the display name: one line in any script. Throws BAD_INPUT. */
export function readDisplayName(text: string): string {
  const name = cleanLine(text);
  const problem = findNameProblem(name);
  if (problem === null) return name;
  throw new RefusedCommandError('BAD_INPUT', `A name ${problem}.`, 'name');
}

/** The problem of a cleaned name as the end of a sentence, or null. */
export function findNameProblem(name: string): string | null {
  if (name !== '' && [...name].length <= MAX_DISPLAY_NAME_CHARACTERS && /[\p{L}\p{N}]/u.test(name)) return null;
  return `must be one line of at most ${MAX_DISPLAY_NAME_CHARACTERS} characters, with at least one letter or digit`;
}

export function createUsernameTakenError(): RefusedCommandError {
  return new RefusedCommandError(
    'USERNAME_TAKEN',
    'This user name, or one that looks like it, is taken or reserved. Choose another one.',
    'username',
  );
}
