/** Limits in fixed windows, counted across all API instances. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Limit {
  max: number;
  windowMs: number;
  /** A sentence without its full stop. */
  reason: string;
}

/** Counts a hit. Returns the refusal above the limit. */
export async function countLimited(
  db: Database,
  bucket: string,
  { max, windowMs, reason }: Limit,
): Promise<RefusedCommandError | null> {
  const { current, ttl } = await countHit(db, bucket, windowMs);
  return current > max ? createLimitError(reason, ttl) : null;
}

/** Counts a hit. Errors: RATE_LIMITED. */
export async function requireBelowLimit(db: Database, bucket: string, limit: Limit): Promise<void> {
  const refusal = await countLimited(db, bucket, limit);
  if (refusal !== null) throw refusal;
}

export function createLimitError(reason: string, ttlMs: number): RefusedCommandError {
  return new RefusedCommandError('RATE_LIMITED', `${reason}. Try again in ${describeWait(ttlMs)}.`);
}

/** In seconds up to 119, in minutes up to 90, then in hours. */
function describeWait(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return ms < 2 * MINUTE_MS ? `${Math.ceil(ms / 1_000)} s` : `${minutes} minutes`;
}
