/**
 * Releases pictures that no document of their author names, and deletes those without an owner.
 * Reads an author's documents at most once a day. An unused picture stays for a week, since others
 * may have stored its address.
 */
import { sql, type Transaction } from 'kysely';
import type { ImageName } from '../../article/images/image-name.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

const DAY_MS = 24 * 3_600_000;
const CHECK_EVERY_MS = DAY_MS;
export const UNUSED_IMAGE_RETENTION_MS = 7 * DAY_MS;
/** Retries an unfinished deletion: its request has arrived by then, or never will. */
const DELETION_RETRY_MS = 10 * 60_000;
/** Deletions per call and instance. */
const BATCH_SIZE = 50;

/** Checks the pictures of the author with the oldest check. */
export async function releaseUnusedImages(db: Database, now: Date): Promise<void> {
  const next = await db
    .selectFrom('authorImages')
    .select('authorId')
    .where('checkedAt', '<', new Date(now.getTime() - CHECK_EVERY_MS))
    .orderBy('checkedAt')
    .limit(1)
    .executeTakeFirst();
  if (!next) return;
  await db.transaction().execute(async (tx) => {
    // Excludes a publish of the author in between, so that an unused picture stays unused.
    await tx.selectFrom('users').select('id').where('id', '=', next.authorId).forNoKeyUpdate().execute();
    await markUnused(tx, next.authorId, now);
    await tx
      .deleteFrom('authorImages')
      .where('authorId', '=', next.authorId)
      .where('unusedSince', '<', new Date(now.getTime() - UNUSED_IMAGE_RETENTION_MS))
      .execute();
  });
}

/** Searches the documents as they were sent, and covers, which a request may name. */
async function markUnused(tx: Transaction<DB>, authorId: string, now: Date): Promise<void> {
  await sql`
    with used as (
      select distinct found[1] as hash
      from articles a, regexp_matches(a.source || ' ' || coalesce(a.cover_image, ''), '/images/([0-9a-f]{64})[.]', 'g') as found
      where a.author_id = ${authorId} and a.deleted_at is null
    )
    update author_images i set checked_at = ${now},
      unused_since = case when i.hash in (select hash from used) then null else coalesce(i.unused_since, ${now}::timestamptz) end
    where i.author_id = ${authorId}`.execute(tx);
}

/** Marks pictures without an owner against claims, until `finishImageDeletion`. */
export function startImageDeletions(db: Database, now: Date): Promise<ImageName[]> {
  return db.transaction().execute(async (tx) => {
    const retryBefore = new Date(now.getTime() - DELETION_RETRY_MS);
    const candidates = await tx
      .selectFrom('images')
      .select('hash')
      .where((eb) => eb.not(eb.exists(eb.selectFrom('authorImages').whereRef('authorImages.hash', '=', 'images.hash'))))
      .where((eb) => eb.or([eb('deletingSince', 'is', null), eb('deletingSince', '<', retryBefore)]))
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute();
    if (candidates.length === 0) return [];
    // Checks again with the rows locked: an author may have claimed one before the lock.
    return tx
      .updateTable('images')
      .set({ deletingSince: now })
      .where(
        'hash',
        'in',
        candidates.map(({ hash }) => hash),
      )
      .where((eb) => eb.not(eb.exists(eb.selectFrom('authorImages').whereRef('authorImages.hash', '=', 'images.hash'))))
      .returning(['hash', 'type'])
      .execute();
  });
}

/** A row with a later time than `startedAt` belongs to a restarted deletion. */
export async function finishImageDeletion(db: Database, { hash }: ImageName, startedAt: Date): Promise<void> {
  await db.deleteFrom('images').where('hash', '=', hash).where('deletingSince', '=', startedAt).execute();
}
