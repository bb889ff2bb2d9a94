/** Gives a reaction, as often as one person may. */
import type { Database } from '../../../store/db/database.ts';
import { type ReactionTarget, react } from '../../../store/reactions/react.ts';
import { countAct } from '../limits.ts';

/** Throws RATE_LIMITED, SUSPENDED, NOT_FOUND. */
export async function giveReaction(
  { db, now }: { db: Database; now: () => Date },
  target: ReactionTarget,
): Promise<void> {
  await countAct(db, 'react', target.userId);
  await react(db, { ...target, now: now() });
}
