/** A restore under way: begun once, whoever calls it how often, and finished once all destinations were asked. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

export function beginRestore(db: Database): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into restores default values on conflict do nothing`.execute(tx);
    // What waits now reserves a slot again. Those of the backup may be of deliveries that wait no more.
    await tx.updateTable('deliveries').set(NO_SLOT).where('slotAt', 'is not', null).execute();
    await skipNotificationNumbers(tx);
    await skipVersions(tx);
  });
}

/** More than anybody was notified of since the backup. */
const SKIPPED_NUMBERS = 1_000_000;

/** A number of after the backup that is given again would be taken for one that was sent, by a client that has seen it: its stream would begin behind. */
async function skipNotificationNumbers(tx: Transaction<DB>): Promise<void> {
  await sql`
    insert into notification_counters (user_id, last_number) select id, ${SKIPPED_NUMBERS}::bigint from users where deleted_at is null
    on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number`.execute(
    tx,
  );
}

/** More attempts than one delivery has had, or changes of one connection, since the backup. */
const SKIPPED_VERSIONS = 100_000;

/** Workflows that Temporal kept know versions of after the backup. If one were given again, they could write what they had decided from it. */
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

/** While one is under way the ledger may not know what stands at the destinations: nothing is sent. */
export async function isRestoreUnfinished(db: Database): Promise<boolean> {
  const row = await db.selectFrom('restores').select('id').where('finishedAt', 'is', null).executeTakeFirst();
  return row !== undefined;
}

export interface RestoredDelivery {
  articleId: string;
  destination: DestinationKey;
  connectionId: string;
  title: string;
  /** Public by now, whatever the ledger says: its hour has passed. */
  isDue: boolean;
}

/** What may stand at a destination by now, where that is connected: all that was sent there, and all that was to be sent. */
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
