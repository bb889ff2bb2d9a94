/**
 * Limits wrong passwords across all API instances. Only failures count, per account and network, so
 * that a stranger who guesses a password does not lock out the owner of the account.
 */
import { createAccountDeletedError, type RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit, revertHit } from '../../store/rate-limits/counters.ts';
import { findUserWithPassword } from '../../store/users/find-user.ts';
import { verifyPassword } from '../../store/users/passwords.ts';
import { toNetwork } from '../plugins/network.ts';
import { createLimitError, MINUTE_MS } from './limits.ts';

const WINDOW_MS = 15 * MINUTE_MS;
const REASON = 'Too many wrong passwords from your network';
/** From one network for one account. */
const PAIR_FAILURES = 10;
/** From one network for all accounts. Stops one password that is tried for many accounts. */
const NETWORK_FAILURES = 60;
/**
 * From all networks for one account. Above it, each network may have `PAIR_FAILURES_UNDER_ATTACK`
 * failures, so that the owner can still sign in from another network.
 */
const ACCOUNT_FAILURES = 100;
const PAIR_FAILURES_UNDER_ATTACK = 2;

/**
 * Verifies a password. A null hash stands for an account that does not exist. The attempt counts as
 * a failure until the password proves correct or cannot be checked. Attempts of one network run in
 * sequence, so that a flood from it does not delay others. Errors: RATE_LIMITED.
 */
export async function tryPassword(
  db: Database,
  { address, email }: { address: string; email: string },
  { passwordHash, password }: { passwordHash: string | null; password: string },
): Promise<boolean> {
  const attempt = await countAttempt(db, address, email);
  let isWrong = false;
  try {
    isWrong = !(await runInQueue(toNetwork(address), () => verifyPassword(passwordHash, password)));
    return !isWrong;
  } finally {
    if (!isWrong) await attempt.undoCount();
  }
}

/**
 * The signed-in user, after checking the password, so that a stolen session is not enough. Throws
 * `wrong`, RATE_LIMITED or UNAUTHENTICATED.
 */
export async function requireOwnPassword(
  db: Database,
  { userId, address, password }: { userId: string; address: string; password: string },
  wrong: RefusedCommandError,
) {
  const user = await findUserWithPassword(db, userId);
  if (!user) throw createAccountDeletedError();
  const { email, passwordHash } = user;
  if (!(await tryPassword(db, { address, email }, { passwordHash, password }))) throw wrong;
  return user;
}

/**
 * Counts an attempt as a failure in advance, so that concurrent attempts cannot exceed the limits.
 * Errors: RATE_LIMITED.
 */
export async function countAttempt(db: Database, address: string, email: string) {
  const network = toNetwork(address);
  const account = email.toLowerCase().slice(0, 320);
  const pairBucket = `login:${network}:${account}`;
  const networkBucket = `login-from:${network}`;
  const accountBucket = `login-to:${account}`;
  // In sequence: an attempt that one limit rejects must not count towards the next one. Otherwise a
  // stranger could lock out others.
  const pairHits = await countHit(db, pairBucket, WINDOW_MS);
  if (pairHits.current > PAIR_FAILURES) throw createLimitError(REASON, pairHits.ttl);
  const networkHits = await countHit(db, networkBucket, WINDOW_MS);
  if (networkHits.current > NETWORK_FAILURES) throw createLimitError(REASON, networkHits.ttl);
  const accountHits = await countHit(db, accountBucket, WINDOW_MS);
  if (accountHits.current > ACCOUNT_FAILURES && pairHits.current > PAIR_FAILURES_UNDER_ATTACK)
    throw createLimitError(REASON, pairHits.ttl);
  return {
    /** Removes the attempt from the counters, because it was not a failure. */
    async undoCount(): Promise<void> {
      for (const bucket of [pairBucket, networkBucket, accountBucket]) await revertHit(db, bucket);
    },
  };
}

/** Runs the work of each key in sequence, so that many calls with one key delay no others. */
const queues = new Map<string, Promise<unknown>>();

async function runInQueue<T>(key: string, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(key);
  const current = previous === undefined ? work() : previous.then(work, work);
  queues.set(key, current);
  try {
    return await current;
  } finally {
    if (queues.get(key) === current) queues.delete(key);
  }
}
