/** Notification types that an author enables, for the stream and for the digest. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { NOTIFICATION_TYPES, NOTIFICATIONS, type NotificationType } from './types.ts';

export interface NotificationPreference {
  type: NotificationType;
  stream: boolean;
  /** Null for types that no digest includes. */
  digest: boolean | null;
}

export async function listPreferences(db: Kysely<DB>, userId: string): Promise<NotificationPreference[]> {
  const rows = await db
    .selectFrom('notificationPreferences')
    .select(['type', 'stream', 'digest'])
    .where('userId', '=', userId)
    .execute();
  return NOTIFICATION_TYPES.map((type) => {
    const chosen = rows.find((row) => row.type === type);
    return {
      type,
      stream: chosen?.stream ?? true,
      digest: NOTIFICATIONS[type].inDigest ? (chosen?.digest ?? true) : null,
    };
  });
}

export interface PreferenceChange {
  userId: string;
  type: NotificationType;
  stream?: boolean;
  digest?: boolean;
}

/** Omitted fields stay. Affects later notifications only. Throws NOT_IN_DIGEST. */
export async function changePreference(db: Database, { userId, type, ...change }: PreferenceChange): Promise<void> {
  if (change.digest !== undefined && !NOTIFICATIONS[type].inDigest) {
    throw new RefusedCommandError('NOT_IN_DIGEST', `${type} is not part of the digest.`, 'digest');
  }
  await db
    .insertInto('notificationPreferences')
    .values({ userId, type, ...change })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'type']).doUpdateSet((eb) => ({
        stream: change.stream ?? eb.ref('notificationPreferences.stream'),
        digest: change.digest ?? eb.ref('notificationPreferences.digest'),
      })),
    )
    .execute();
}

/** Applies all changes or none. */
export async function changePreferences(
  db: Database,
  userId: string,
  changes: readonly Omit<PreferenceChange, 'userId'>[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const change of changes) await changePreference(tx, { userId, ...change });
  });
}

/** Whether a notification stored now is sent to streams. */
export function isOnStream(userId: string, type: NotificationType) {
  return sql<boolean>`coalesce((select stream from notification_preferences where user_id = ${userId} and type = ${type}), true)`;
}

/** The types that an author has excluded from the digest. */
export async function listExcludedFromDigest(db: Kysely<DB>, userId: string): Promise<Set<NotificationType>> {
  const rows = await db
    .selectFrom('notificationPreferences')
    .select('type')
    .where('userId', '=', userId)
    .where('digest', '=', false)
    .execute();
  return new Set(rows.map(({ type }) => type));
}
