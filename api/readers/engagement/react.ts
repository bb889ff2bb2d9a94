/** Adds a reaction within the rate limit of the user. */
import type { Database } from '../../../store/db/database.ts';
import { type ReactionTarget, react } from '../../../store/reactions/react.ts';
import { countAct } from '../limits.ts';

/** Errors: RATE_LIMITED, SUSPENDED, NOT_FOUND. */
export async function giveReaction(
  { db, now }: { db: Database; now: () => Date },
  target: ReactionTarget,
): Promise<void> {
  await countAct(db, 'react', target.userId);
  await react(db, { ...target, now: now() });
}
