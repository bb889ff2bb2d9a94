/** Follows an author within the rate limit of the user. */
import type { Database } from '../../../store/db/database.ts';
import { type FollowTarget, follow } from '../../../store/follows/follow.ts';
import { countReaderAction } from '../limits.ts';

/** Errors: RATE_LIMITED, SUSPENDED, NOT_FOUND, OWN_PROFILE. */
export async function followAuthor(
  { db, now }: { db: Database; now: () => Date },
  target: FollowTarget,
): Promise<void> {
  await countReaderAction(db, 'follow', target.followerId);
  await follow(db, { ...target, now: now() });
}
