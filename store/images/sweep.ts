/**
 * Forgets pictures that no document of their author names any more, and finds those that are nobody's. An author's documents are read through at
 * most once a day; what is missing in them stays for a week, since its address may stand in what others keep.
 */
import { sql, type Transaction } from 'kysely';
import type { ImageName } from '../../images/image-name.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

const DAY_MS = 24 * 3_600_000;
const CHECK_EVERY_MS = DAY_MS;
export const KEPT_UNUSED_MS = 7 * DAY_MS;
/** A deletion that nobody finished is taken up again after this time: the request of the one before has arrived by then, or never will. */
const LATE_MS = 10 * 60_000;
/** At once, by one instance. */
const BATCH = 50;

/** One author's, whose turn it is. */
export async function forgetUnused(db: Database, now: Date): Promise<void> {
  const next = await db
    .selectFrom('authorImages')
    .select('authorId')
    .where('checkedAt', '<', new Date(now.getTime() - CHECK_EVERY_MS))
    .orderBy('checkedAt')
    .limit(1)
    .executeTakeFirst();
  if (!next) return;
  await db.transaction().execute(async (tx) => {
    // No publish of the author in between: what is found unused is unused.
    await tx.selectFrom('users').select('id').where('id', '=', next.authorId).forNoKeyUpdate().execute();
    await markUnused(tx, next.authorId, now);
    await tx
      .deleteFrom('authorImages')
      .where('authorId', '=', next.authorId)
      .where('unusedSince', '<', new Date(now.getTime() - KEPT_UNUSED_MS))
      .execute();
  });
}

/** By the addresses in the documents as they were sent, and in covers, which a request may name. */
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

/** Marks some that are nobody's: from then on nobody claims them before they are gone. Their bytes are to be removed, and then `endDeletion`. */
export function beginDeletions(db: Database, now: Date): Promise<ImageName[]> {
  return db.transaction().execute(async (tx) => {
    const late = new Date(now.getTime() - LATE_MS);
    const candidates = await tx
      .selectFrom('images')
      .select('hash')
      .where((eb) => eb.not(eb.exists(eb.selectFrom('authorImages').whereRef('authorImages.hash', '=', 'images.hash'))))
      .where((eb) => eb.or([eb('deletingSince', 'is', null), eb('deletingSince', '<', late)]))
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (candidates.length === 0) return [];
    // Looked at again, now that the rows are held: an author may have claimed one before that.
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

/** `begun` is the time of `beginDeletions`: not where the picture came meanwhile, which is a later deletion's. */
export async function endDeletion(db: Database, { hash }: ImageName, begun: Date): Promise<void> {
  await db.deleteFrom('images').where('hash', '=', hash).where('deletingSince', '=', begun).execute();
}
