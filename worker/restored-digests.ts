/**
 * After the database was restored from a backup: a digest that is due by what the rows say may have been mailed since. Nobody can tell, so it is
 * not mailed twice: it is kept as `unknown`, and the next one is due as usual.
 */
import { buildDigestMessageId } from '../mail/digest/headers.ts';
import type { Database } from '../store/db/database.ts';
import { closeDigest } from '../store/digests/close-digest.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../store/digests/due-authors.ts';
import { chooseDigestDate } from '../store/digests/due-date.ts';
import { openDigest } from '../store/digests/open-digest.ts';

const REASON =
  'The service was restored from a backup, and this digest may have been mailed since. It is not sent twice.';
/** Authors read at once. */
const PAGE = 100;

/** Returns how many. Done twice, it finds nothing the second time. */
export async function passOverDigests(db: Database, site: { baseUrl: string; now: Date }): Promise<number> {
  let passedOver = 0;
  for (let after: DueCursor | null = null; ; ) {
    const page: DueAuthor[] = await listDueAuthors(db, { until: site.now, after, limit: PAGE });
    for (const author of page) if (await passOver(db, author, site)) passedOver += 1;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return passedOver;
    after = { dueAt: last.dueAt.toISOString(), userId: last.userId };
  }
}

async function passOver(
  db: Database,
  author: DueAuthor,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Promise<boolean> {
  const date = await chooseDigestDate(db, author, now);
  if (date === null) return false;
  const key = { userId: author.userId, date };
  await openDigest(db, { ...key, messageId: buildDigestMessageId({ ...key, siteUrl: baseUrl }), now });
  await closeDigest(db, { ...key, outcome: { kind: 'unknown', reason: REASON }, now });
  return true;
}
