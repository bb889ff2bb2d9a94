/** Limits how often one user may act on others, per minute and per day. */
import type { Database } from '../../store/db/database.ts';
import { type FollowTarget, follow } from '../../store/follows/follow.ts';
import { type ReactionTarget, react } from '../../store/reactions/react.ts';
import { DAY_MS, MINUTE_MS, requireBelowLimit } from '../auth/limits.ts';

const LIMITS = {
  comment: { noun: 'comments', minute: 10, day: 300 },
  follow: { noun: 'follows', minute: 30, day: 500 },
  react: { noun: 'reactions', minute: 60, day: 2_000 },
};

/** Counts one action. Errors: RATE_LIMITED. */
export async function countReaderAction(db: Database, action: keyof typeof LIMITS, userId: string): Promise<void> {
  const { noun, ...limits } = LIMITS[action];
  // An action that the short window rejects does not count in the long one.
  for (const [span, windowMs] of [
    ['minute', MINUTE_MS],
    ['day', DAY_MS],
  ] as const) {
    const reason = `The limit is ${limits[span]} ${noun} per ${span}`;
    await requireBelowLimit(db, `${action}:${windowMs}:${userId}`, { max: limits[span], windowMs, reason });
  }
}

/** Errors: RATE_LIMITED, SUSPENDED, NOT_FOUND, OWN_PROFILE. */
export async function followAuthor(
  { db, now }: { db: Database; now: () => Date },
  target: FollowTarget,
): Promise<void> {
  await countReaderAction(db, 'follow', target.followerId);
  await follow(db, { ...target, now: now() });
}

/** Errors: RATE_LIMITED, SUSPENDED, NOT_FOUND. */
export async function addReaction(
  { db, now }: { db: Database; now: () => Date },
  target: ReactionTarget,
): Promise<void> {
  await countReaderAction(db, 'react', target.userId);
  await react(db, { ...target, now: now() });
}
