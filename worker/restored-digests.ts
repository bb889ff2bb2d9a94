/**
 * Closes the due digests of a restored database as `unknown`: they may have been mailed after the
 * backup, and must not be mailed twice. The next digest is due as usual.
 */
import { buildDigestMessageId } from '../mail/digest/render.ts';
import type { Database } from '../store/db/database.ts';
import { beginDigestRow, closeDigest } from '../store/digests/digest-row.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../store/digests/due-authors.ts';
import { chooseDigestDate } from '../store/digests/due-date.ts';

const REASON =
  'The service was restored from a backup, and this digest may have been sent since. It is not sent twice.';
const PAGE_SIZE = 100;

/** Returns the number of closed digests. Idempotent. */
export async function closeDueDigestsAfterRestore(db: Database, site: { baseUrl: string; now: Date }): Promise<number> {
  let closed = 0;
  for (let after: DueCursor | null = null; ; ) {
    const page: DueAuthor[] = await listDueAuthors(db, { until: site.now, after, limit: PAGE_SIZE });
    for (const author of page) if (await closeAsUnknown(db, author, site)) closed += 1;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return closed;
    after = { dueAt: last.dueAt.toISOString(), userId: last.userId };
  }
}

async function closeAsUnknown(
  db: Database,
  author: DueAuthor,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Promise<boolean> {
  const date = await chooseDigestDate(db, author, now);
  if (date === null) return false;
  const key = { userId: author.userId, date };
  await beginDigestRow(db, { ...key, messageId: buildDigestMessageId({ ...key, siteUrl: baseUrl }), now });
  await closeDigest(db, { ...key, outcome: { kind: 'unknown', reason: REASON }, now });
  return true;
}
