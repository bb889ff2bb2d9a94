/**
 * Limits how often one user may act on others, across all API instances. Each action has a limit
 * per minute and per day.
 */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';

export type LimitedAction = keyof typeof LIMITS;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const LIMITS = {
  comment: { noun: 'comments', minute: 10, day: 300 },
  follow: { noun: 'follows', minute: 30, day: 500 },
  react: { noun: 'reactions', minute: 60, day: 2_000 },
} as const;

/** Counts one action. Errors: RATE_LIMITED. */
export async function countReaderAction(db: Database, action: LimitedAction, userId: string): Promise<void> {
  const { noun, minute, day } = LIMITS[action];
  for (const [limit, windowMs] of [
    [minute, MINUTE_MS],
    [day, DAY_MS],
  ] as const) {
    // An action that the short window rejects does not count in the long one.
    const { current, ttl } = await countHit(db, `${action}:${windowMs}:${userId}`, windowMs);
    if (current > limit) throw refuse(limit, noun, windowMs === MINUTE_MS ? 'minute' : 'day', ttl);
  }
}

function refuse(limit: number, noun: string, span: string, ttlMs: number): RefusedCommandError {
  const wait = ttlMs < 2 * MINUTE_MS ? `${Math.ceil(ttlMs / 1_000)} s` : `${Math.ceil(ttlMs / MINUTE_MS)} minutes`;
  return new RefusedCommandError('RATE_LIMITED', `The limit is ${limit} ${noun} per ${span}. Try again in ${wait}.`);
}
