/**
 * Passwords at rest: argon2id with the library's defaults, which follow RFC 9106's second recommendation. Few are worked on at once, since each
 * takes 64 MiB and one of the four threads that files and host names need too; a flood of logins waits in a line, and is refused at its end.
 */
import { randomBytes } from 'node:crypto';
import { type HashOptions, hash, verify } from 'argon2';
import pLimit from 'p-limit';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';

/** Longest password that is hashed; a longer one is refused first, since hashing is expensive. */
export const MAX_PASSWORD_LENGTH = 1024;
const AT_ONCE = 2;
/** Seconds of work. */
const WAITING = 60;

/** What a hash costs, which it says itself. */
export type HashCost = Pick<HashOptions, 'memoryCost' | 'timeCost' | 'parallelism'>;

/** Only for a password that guards nothing, as in a test, should it cost less than the defaults. */
export async function hashPassword(password: string, cost: HashCost = {}): Promise<string> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new RangeError('password is too long');
  return inTurn(() => hash(prepare(password), cost));
}

/**
 * Whether `password` belongs to `passwordHash`. Null, for an unknown e-mail address, costs the same work and returns false, so that timing
 * does not reveal which addresses exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  return inTurn(async () => {
    decoy ??= hash('a password that nobody has');
    const matches = await verify(passwordHash ?? (await decoy), prepare(password));
    return passwordHash !== null && matches;
  });
}

/** A well-formed hash with a random digest, which no known password has. */
export function createUnusableHash(): string {
  const encode = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=65536,p=4,t=3$${encode(16)}$${encode(32)}`;
}

export async function setPassword(db: Database, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

let decoy: Promise<string> | undefined;

const turns = pLimit(AT_ONCE);

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.pendingCount < WAITING) return turns(work);
  throw new RefusedCommandError('RATE_LIMITED', 'Very many people sign in just now; try again in a few seconds.');
}

/** One keyboard writes an accented letter as one character, another as two (OpaqueString of RFC 8265). */
function prepare(password: string): string {
  return password.normalize('NFC');
}
