/** Validates and stores changes to a profile. */

import { createAccountDeletedError } from '../../../store/commands/refused-command.ts';
import type { Database } from '../../../store/db/database.ts';
import { findOwnProfile, updateProfile } from '../../../store/users/profile.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { type ProfileInput, readProfile } from './profile-rules.ts';

export type OwnProfile = NonNullable<Awaited<ReturnType<typeof findOwnProfile>>>;

/**
 * Returns the changed profile. If a field is invalid, changes nothing and returns every problem.
 * Errors: UNAUTHENTICATED.
 */
export async function changeProfile(
  db: Database,
  userId: string,
  input: ProfileInput,
): Promise<{ problems: FieldProblem[] } | { profile: OwnProfile }> {
  const read = readProfile(input);
  if ('problems' in read) return read;
  await updateProfile(db, userId, read.change);
  const profile = await findOwnProfile(db, userId);
  if (!profile) throw createAccountDeletedError();
  return { profile };
}
