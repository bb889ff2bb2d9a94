/** Forgets old notifications. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

/** Much longer than anything under way may still name one by its key. */
export const KEPT_DAYS = 180;
/** In one statement, which holds no lock for long; the next sweep goes on. */
const BATCH = 5_000;

export async function sweepNotifications(db: Kysely<DB>, now: Date): Promise<void> {
  const end = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000);
  const old = db.selectFrom('notifications').select('id').where('createdAt', '<', end).orderBy('createdAt');
  await db.deleteFrom('notifications').where('id', 'in', old.limit(BATCH)).execute();
}
