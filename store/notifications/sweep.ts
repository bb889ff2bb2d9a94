/** Deletes old notifications. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

/** Much longer than any work in progress can use a dedupe key. */
export const NOTIFICATION_RETENTION_DAYS = 180;
/** Per statement, so that locks are short; the next sweep continues. */
const BATCH_SIZE = 5_000;

export async function sweepNotifications(db: Kysely<DB>, now: Date): Promise<void> {
  const end = new Date(now.getTime() - NOTIFICATION_RETENTION_DAYS * 24 * 60 * 60_000);
  const old = db.selectFrom('notifications').select('id').where('createdAt', '<', end).orderBy('createdAt');
  await db.deleteFrom('notifications').where('id', 'in', old.limit(BATCH_SIZE)).execute();
}
