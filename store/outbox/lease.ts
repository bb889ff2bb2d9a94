/**
 * The dispatcher's side of the outbox: an entry remains until its workflow was signalled. A lease
 * is a committed time, so that no call to Temporal runs in a transaction. If a dispatcher dies, its
 * lease expires; a second signal is safe.
 */
import { sql } from 'kysely';
import type { ImportSource } from '../../article/import/import-address.ts';
import type { DestinationKey } from '../../article/types.ts';
import { type ConnectedPlatforms, connectedPlatforms } from '../connections/list.ts';
import type { Database } from '../db/database.ts';
import type { MailKind } from '../db/types.ts';
import { affectedDestinations } from '../deliveries/list.ts';

export type OutboxEntry = (ArticleEntry | MailEntry | ImportEntry) & {
  /** W3C trace context of the request that added the entry; null if it was not traced. */
  traceparent: string | null;
};

interface ArticleEntry {
  id: number;
  articleId: string;
  isPublic: boolean;
  slug: string;
  title: string;
  username: string;
  authorName: string;
  platforms: ConnectedPlatforms;
  /** Set to signal one delivery workflow, after a command of the author. */
  destination: DestinationKey | null;
  /** Delivery workflows to wake; null if the article workflow is woken instead. */
  concerned: DestinationKey[] | null;
}

/** Starts the mail's workflow. */
interface MailEntry {
  id: number;
  mailId: string;
  kind: MailKind;
}

/** Signals a started or cancelled import. */
interface ImportEntry {
  id: number;
  importId: string;
  source: ImportSource;
  username: string;
}

/** Leases up to `limit` free entries for `leaseMs`, oldest first; entries of searches come last. */
export async function leaseOutbox(db: Database, options: { limit: number; leaseMs: number }): Promise<OutboxEntry[]> {
  const result = await sql<LeasedRow>`
    with free as (
      select id from outbox
      where leased_until is null or leased_until < now()
      order by may_wait, id limit ${options.limit} for update skip locked
    ), leased as (
      update outbox set leased_until = now() + make_interval(secs => ${options.leaseMs / 1000}), attempts = attempts + 1
      from free where outbox.id = free.id
      returning outbox.id, outbox.article_id, outbox.destination, outbox.wakes_article, outbox.mail_id, outbox.import_id,
        outbox.traceparent
    )
    select leased.id, leased.article_id, leased.destination,
      case when not leased.wakes_article then ${affectedDestinations} end as concerned, articles.status = 'PUBLISHED' as is_public, articles.slug, articles.title,
      users.username, users.name as author_name, ${connectedPlatforms},
      leased.mail_id, mails.kind, leased.import_id, imports.source, leased.traceparent
    from leased left join articles on articles.id = leased.article_id left join imports on imports.id = leased.import_id
      left join users on users.id = coalesce(articles.author_id, imports.user_id)
      left join mails on mails.id = leased.mail_id
    order by leased.id`.execute(db);
  return result.rows.map(({ mailId, kind, importId, source, ...entry }) => {
    const { id, username, traceparent } = entry;
    if (mailId !== null) return { id, mailId, kind, traceparent };
    return importId === null ? entry : { id, importId, source, username, traceparent };
  });
}

type LeasedRow = ArticleEntry & {
  mailId: string | null;
  kind: MailKind;
  importId: string | null;
  source: ImportSource;
  traceparent: string | null;
};

export async function removeFromOutbox(db: Database, ids: number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute();
}

/** Returns failed entries with a growing pause, so that a failing one blocks no others. */
export async function returnToOutbox(db: Database, ids: number[], error: string): Promise<void> {
  if (ids.length === 0) return;
  await sql`update outbox set last_error = ${error.slice(0, 500)},
      leased_until = now() + least(interval '5 minutes', interval '1 second' * power(2, least(attempts, 10) - 1))
    where id in (${sql.join(ids)})`.execute(db);
}

/** A free entry or a schedule due now. One overdue by ten minutes has another cause. */
export async function hasDueWork(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from outbox where leased_until is null or leased_until < now())
      or exists (select from articles where status = 'SCHEDULED'
        and scheduled_at between now() - interval '10 minutes' and now() + interval '5 seconds') as is_due`.execute(db);
  return rows[0]?.isDue === true;
}
