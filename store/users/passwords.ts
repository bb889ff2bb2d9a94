/** Passwords at rest: argon2id with the library's defaults, which follow RFC 9106's second recommendation. */
import { hash, verify } from 'argon2';
import type { Database } from '../db/database.ts';

/** Longest password that is hashed; a longer one is refused first, since hashing is expensive. */
const MAX_PASSWORD_LENGTH = 1024;

export async function hashPassword(password: string): Promise<string> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new RangeError('password is too long');
  return hash(password);
}

/**
 * Whether `password` belongs to `passwordHash`. Null, for an unknown e-mail address, costs the same work and returns false, so that timing
 * does not reveal which addresses exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  decoy ??= hash('a password that nobody has');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && matches;
}

export async function setPassword(db: Database, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

let decoy: Promise<string> | undefined;
