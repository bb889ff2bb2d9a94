/** Starts and finishes a restore. Nothing is sent until all destinations were compared. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Situation } from '../../delivery/types.ts';
import { addArticleNotice } from '../articles/article-notices.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { markOpenMailsUnknown } from '../mails/mail-row.ts';

export function beginRestore(db: Database): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into restores default values on conflict do nothing`.execute(tx);
    // Slots of the backup may belong to deliveries that no longer wait. Waiting ones reserve again.
    await tx.updateTable('deliveries').set(NO_SLOT).where('slotAt', 'is not', null).execute();
    await skipNotificationNumbers(tx);
    await skipVersions(tx);
  });
}

/** Above the notifications of any user since the backup. */
const SKIPPED_NUMBERS = 1_000_000;

/** A client would skip a reused number: its stream continues after its `Last-Event-ID`. */
async function skipNotificationNumbers(tx: Transaction<DB>): Promise<void> {
  await sql`
    insert into notification_counters (user_id, last_number) select id, ${SKIPPED_NUMBERS}::bigint from users where deleted_at is null
    on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number`.execute(
    tx,
  );
}

/** Above the attempts of one delivery, or changes of one connection, since the backup. */
const SKIPPED_VERSIONS = 100_000;

/** Running workflows hold versions from after the backup. A reused one would match them. */
async function skipVersions(tx: Transaction<DB>): Promise<void> {
  await sql`update deliveries set version = version + ${SKIPPED_VERSIONS}`.execute(tx);
  await sql`update connections set version = version + ${SKIPPED_VERSIONS}`.execute(tx);
}

export async function finishRestore(db: Database, now: Date): Promise<void> {
  await db.updateTable('restores').set({ finishedAt: now }).where('finishedAt', 'is', null).execute();
}

export async function hasRestoreEndedSince(db: Database, since: Date): Promise<boolean> {
  const row = await db.selectFrom('restores').select('id').where('finishedAt', '>', since).executeTakeFirst();
  return row !== undefined;
}

/** During a restore the ledger may be outdated, so workers must not send. */
export async function isRestoreUnfinished(db: Database): Promise<boolean> {
  const row = await db.selectFrom('restores').select('id').where('finishedAt', 'is', null).executeTakeFirst();
  return row !== undefined;
}

export interface RestoredDelivery {
  articleId: string;
  destination: DestinationKey;
  connectionId: string;
  title: string;
  /** Scheduled in the backup, and its time has passed: public by now. */
  isDue: boolean;
}

/** The deliveries that may have a post at a connected destination: sent before, or selected. */
export async function listRestoredDeliveries(db: Database, now: Date): Promise<RestoredDelivery[]> {
  const { rows } = await sql<RestoredDelivery>`
    select a.id as "articleId", c.destination, c.id as "connectionId", a.title,
      a.status = 'SCHEDULED' and a.scheduled_at <= ${now} as "isDue"
    from articles a join connections c on c.user_id = a.author_id
    left join copies p on p.article_id = a.id and p.account_id = c.account_id and p.is_current
    where p.presence in ('live', 'hidden', 'uncertain')
    or (is_selected(a.syndicate, a.imported, a.cross_post, c.destination) and a.deleted_at is null)
    order by c.id, a.created_at`.execute(db);
  return rows;
}

const REASON = 'The service was restored from a backup, and this mail may have been sent since. It is not sent again.';

/** Idempotent. Returns the numbers of ended rows. */
export async function endAccessAfterRestore(
  db: Database,
  now: Date,
): Promise<{ sessions: number; links: number; mails: number }> {
  const sessions = await db
    .updateTable('sessions')
    .set({ endedAt: now })
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  const links = await db
    .updateTable('mailLinks')
    .set({ expiresAt: now })
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  const mails = await markOpenMailsUnknown(db, REASON, now);
  return { sessions: Number(sessions.numUpdatedRows), links: Number(links.numUpdatedRows), mails };
}

/** Call it before recording the post, so that an interrupted restore can run again. */
export async function skipForAuthor(
  db: Database,
  { article, delivery, articleId, url, now }: Situation & { articleId: string; url: string; now: Date },
): Promise<void> {
  await db.updateTable('deliveries').set({ skippedDispatch: article.dispatch }).where('id', '=', delivery.id).execute();
  await addArticleNotice(db, {
    articleId,
    code: 'restored_not_public',
    message: `The service was restored from a backup in which this article is not public, but its copy is still live at ${url}. Publish the article again, or withdraw that copy.`,
    dedupeKey: `restored:${delivery.id}:${url}`,
    now,
  });
}
