/** Warnings before a scheduled publication: the destinations that would refuse the article. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import type { DeliveryCode } from '../../../delivery/delivery-codes.ts';
import { refuseConnection } from '../../connections/refuse.ts';
import type { Database } from '../../db/database.ts';
import type { DB } from '../../db/types.ts';
import { addNotification, buildArticleLink } from '../../notifications/add.ts';
import { addArticleNotice } from '../article-notices.ts';

export interface Warning {
  destination: DestinationKey;
  /** `unauthorised`, `unavailable`, or a code of the destination's client. */
  code: DeliveryCode;
  /** A sentence without secrets. */
  reason: string;
  connection: { id: string; version: number } | null;
}

/** Null unless the article is still scheduled for that time and has no reminder for it yet. */
export async function findScheduled(
  db: Database,
  { articleId, scheduledAt }: { articleId: string; scheduledAt: string },
): Promise<{ authorId: string; destinations: DestinationKey[] } | null> {
  const { rows } = await sql<{ authorId: string; destinations: DestinationKey[] }>`
    select a.author_id, a.scheduled_destinations as destinations from articles a
    where a.id = ${articleId} and a.status = 'SCHEDULED' and a.scheduled_at = ${scheduledAt}::timestamptz
    and a.reminded_for is distinct from a.scheduled_at`.execute(db);
  return rows[0] ?? null;
}

/**
 * Records the warnings once per scheduled time. A refused credential marks its connection and
 * notifies the author, as other failures do. A temporary problem adds a notice to the article only.
 */
export function recordReminder(
  db: Database,
  reminder: { articleId: string; scheduledAt: string; warnings: Warning[]; now: Date },
): Promise<void> {
  const { articleId, scheduledAt, warnings, now } = reminder;
  return db.transaction().execute(async (tx) => {
    await lockConnections(tx, warnings);
    const article = await tx
      .updateTable('articles')
      .set((eb) => ({ remindedFor: eb.ref('scheduledAt') }))
      .where('id', '=', articleId)
      .where('scheduledAt', '=', new Date(scheduledAt))
      .returning(['authorId', 'title'])
      .executeTakeFirst();
    if (!article) return;
    for (const { destination, code, reason, connection } of warnings) {
      const dedupeKey = `reminder:${articleId}:${scheduledAt}:${destination}`;
      const message = `Scheduled for ${scheduledAt}, but ${destination} would not accept it at present: ${reason}`;
      await addArticleNotice(tx, { articleId, code, message, dedupeKey, now });
      // It may end within the hour before the publication.
      if (code === 'unavailable') continue;
      if (code === 'unauthorised' && connection) {
        const refusal = await refuseConnection(tx, { ...connection, reason });
        // Otherwise the author was already notified, or has reconnected meanwhile.
        if (refusal !== 'marked') continue;
      }
      const payload = { postTitle: article.title, platform: destination.toUpperCase(), reason: message };
      const link = buildArticleLink(articleId);
      await addNotification(tx, { userId: article.authorId, type: 'CROSS_POST_FAILED', payload, link, dedupeKey, now });
    }
  });
}

/** Locks connections before the article, like `connect`, so that reconnecting never deadlocks. */
async function lockConnections(tx: Transaction<DB>, warnings: Warning[]): Promise<void> {
  const ids = warnings.flatMap(({ connection }) => connection?.id ?? []);
  if (ids.length === 0) return;
  await tx.selectFrom('connections').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
}
