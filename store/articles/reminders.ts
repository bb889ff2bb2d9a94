/** What an author is told an hour before a schedule fires: which destinations would refuse it. */
import { sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { refuseConnection } from '../connections/refuse.ts';
import type { Database } from '../db/database.ts';
import { addNotification } from '../notifications/add.ts';
import { addArticleNotice } from './article-notices.ts';

export interface Warning {
  destination: DestinationKey;
  /** `unauthorised`, `unavailable`, or what the destination's client calls it. */
  code: string;
  /** A sentence without secrets. */
  reason: string;
  connection: { id: string; generation: number } | null;
}

/** The article, where it is still scheduled for that time, with the destinations that its author counts on. */
export async function findScheduled(
  db: Database,
  { articleId, scheduledAt }: { articleId: string; scheduledAt: string },
): Promise<{ authorId: string; destinations: DestinationKey[] } | null> {
  const { rows } = await sql<{ authorId: string; destinations: DestinationKey[] }>`
    select a.author_id, coalesce(a.scheduled_destinations, '{}') as destinations from articles a
    where a.id = ${articleId} and a.status = 'SCHEDULED' and a.scheduled_at = ${scheduledAt}::timestamptz
    and a.reminded_for is distinct from a.scheduled_at`.execute(db);
  return rows[0] ?? null;
}

/** May have passed in an hour. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rateLimited', 'unknown']);

/**
 * A refused credential marks its connection, and is an event like any other failure; what may pass by itself is a notice with the article.
 */
export function recordReminder(
  db: Database,
  reminder: { articleId: string; scheduledAt: string; warnings: Warning[]; now: Date },
): Promise<void> {
  const { articleId, scheduledAt, warnings, now } = reminder;
  return db.transaction().execute(async (tx) => {
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
      const message = `Scheduled for ${scheduledAt}, but ${destination} would not take it as things are: ${reason}`;
      await addArticleNotice(tx, { articleId, code, message, dedupeKey, now });
      if (PASSING.has(code)) continue;
      if (code === 'unauthorised' && connection) {
        const marked = await refuseConnection(tx, { ...connection, reason, now });
        // Found out and told by somebody else, or reconnected by now.
        if (marked !== 'marked') continue;
      }
      const payload = { postTitle: article.title, platform: destination.toUpperCase(), reason: message };
      await addNotification(tx, { userId: article.authorId, type: 'CROSS_POST_FAILED', payload, dedupeKey, now });
    }
  });
}
