/**
 * Password hashes: argon2id with the library's defaults (RFC 9106, second recommendation). Few run
 * at once: each takes 64 MiB and one of the four threads that files and host names use too. Further
 * ones are queued, then rejected.
 */
import { randomBytes } from 'node:crypto';
import { type HashOptions, hash, verify } from 'argon2';
import pLimit from 'p-limit';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';

/** A longer password is rejected before hashing, which is expensive. */
export const MAX_PASSWORD_LENGTH = 1024;
const MAX_CONCURRENT_HASHES = 2;
/** Queued hashes: some seconds of work. */
const MAX_QUEUED_HASHES = 60;

/** The cost of a hash, which the hash itself contains. */
export type HashCost = Pick<HashOptions, 'memoryCost' | 'timeCost' | 'parallelism'>;

/** A lower cost is only for passwords that protect nothing, as in a test. */
export async function hashPassword(password: string, cost: HashCost = {}): Promise<string> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new RangeError('password is too long');
  return runQueued(() => hash(prepare(password), cost));
}

/** A null hash (unknown address) costs the same, so that timing does not reveal accounts. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  return runQueued(async () => {
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

const hashQueue = pLimit(MAX_CONCURRENT_HASHES);

function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (hashQueue.pendingCount < MAX_QUEUED_HASHES) return hashQueue(work);
  throw new RefusedCommandError('RATE_LIMITED', 'Too many people are signing in at once. Try again in a few seconds.');
}

/** Keyboards produce accented letters as one or two characters (OpaqueString of RFC 8265). */
function prepare(password: string): string {
  return password.normalize('NFC');
}
