/**
 * How many wrong passwords are borne, counted across all API instances. Only failures count, and each account by the networks they come from: a
 * stranger who guesses at an account locks himself out, and not its owner.
 */
import { toNetwork } from '../plugins/network.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit, giveBackHit } from '../../store/rate-limits/counters.ts';
import { verifyPassword } from '../../store/users/passwords.ts';
import { inLineOf } from './per-key-queue.ts';

const WINDOW_MS = 15 * 60_000;
/** From one network at one account. */
const PAIR_FAILURES = 10;
/** From one network at any account: stops one password that is tried at many. */
const NETWORK_FAILURES = 60;
/** From everywhere at one account. Above it a network has two failures at it, which leaves its owner, at a network of his own, two. */
const ACCOUNT_FAILURES = 100;
const PAIR_FAILURES_UNDER_ATTACK = 2;

/**
 * Whether a password is right; null as its hash stands for an account that does not exist. It counts as a failure while it is looked at, and from
 * then on where it is wrong: not where it was right, or where there was no time to look. One network's are looked at one after the other, so that
 * its flood makes nobody else wait. Errors: RATE_LIMITED.
 */
export async function tryPassword(
  db: Database,
  { address, email }: { address: string; email: string },
  { passwordHash, password }: { passwordHash: string | null; password: string },
): Promise<boolean> {
  const attempt = await countAttempt(db, address, email);
  let isWrong = false;
  try {
    isWrong = !(await inLineOf(toNetwork(address), () => verifyPassword(passwordHash, password)));
    return !isWrong;
  } finally {
    if (!isWrong) await attempt.giveBack();
  }
}

export interface CountedAttempt {
  /** It was no failure. */
  giveBack(): Promise<void>;
}

/** Counts an attempt as a failure until it is given back, so that many at once are not more than one after the other. */
export async function countAttempt(db: Database, address: string, email: string): Promise<CountedAttempt> {
  const network = toNetwork(address);
  const account = email.toLowerCase().slice(0, 320);
  const pair = `login:${network}:${account}`;
  const from = `login-from:${network}`;
  const to = `login-to:${account}`;
  // One after the other: what is refused here counts no further, or a stranger could lock others out.
  const ofPair = await countHit(db, pair, WINDOW_MS);
  if (ofPair.current > PAIR_FAILURES) throw refuse(ofPair.ttl);
  const ofNetwork = await countHit(db, from, WINDOW_MS);
  if (ofNetwork.current > NETWORK_FAILURES) throw refuse(ofNetwork.ttl);
  const ofAccount = await countHit(db, to, WINDOW_MS);
  if (ofAccount.current > ACCOUNT_FAILURES && ofPair.current > PAIR_FAILURES_UNDER_ATTACK) throw refuse(ofPair.ttl);
  return {
    async giveBack() {
      for (const bucket of [pair, from, to]) await giveBackHit(db, bucket);
    },
  };
}


function refuse(ttlMs: number): RefusedCommandError {
  const minutes = Math.max(1, Math.ceil(ttlMs / 60_000));
  return new RefusedCommandError(
    'RATE_LIMITED',
    `Too many wrong passwords from your network; try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  );
}
