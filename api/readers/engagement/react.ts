/** Adds a reaction within the rate limit of the user. */
import type { Database } from '../../../store/db/database.ts';
import { type ReactionTarget, react } from '../../../store/reactions/react.ts';
import { countReaderAction } from '../limits.ts';

/** Errors: RATE_LIMITED, SUSPENDED, NOT_FOUND. */
export async function addReaction(
  { db, now }: { db: Database; now: () => Date },
  target: ReactionTarget,
): Promise<void> {
  await countReaderAction(db, 'react', target.userId);
  await react(db, { ...target, now: now() });
}
