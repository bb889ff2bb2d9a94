/** Publishes a scheduled article when its time has come. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey, NoticeCode } from '../../../article/types.ts';
import type { Database } from '../../db/database.ts';
import type { DB } from '../../db/types.ts';
import { addArticleNotice } from '../article-notices.ts';
import { listClashWarnings } from '../canonical-clashes.ts';
import { COMPARED_FIELDS } from '../fields.ts';
import { buildRowFingerprint } from '../publish/fingerprint.ts';
import { buildHeldKey, describeLateness } from './lateness.ts';
import { selectedConnectedDestinations } from './schedule.ts';

/** A shorter delay is not reported. */
const MIN_REPORTED_DELAY_MS = 60_000;

/**
 * Publishes an article that is still scheduled and due, unless its author is suspended. Counts as a
 * new dispatch, so that results from the waiting time do not apply, such as a withdrawal that was
 * given up.
 */
export function publishDueArticle(db: Database, articleId: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Same lock as a publish and a command, so that they run in sequence.
    await sql`select 1 from users where id = (select author_id from articles where id = ${articleId}) for no key update`.execute(
      tx,
    );
    const due = await findDue(tx, articleId, now);
    if (!due) {
      await addHeldNotice(tx, articleId, now);
      return false;
    }
    for (const notice of await buildNotices(tx, due, { articleId, now })) {
      const dedupeKey = `fired:${articleId}:${due.dueAt.toISOString()}:${notice.code}`;
      await addArticleNotice(tx, { articleId, ...notice, dedupeKey, now });
    }
    const state = { status: 'PUBLISHED', scheduledAt: null } as const;
    const fingerprint = buildRowFingerprint({ ...due, ...state });
    await tx
      .updateTable('articles')
      .set((eb) => ({
        ...state,
        fingerprint,
        publishedAt: eb.fn.coalesce('publishedAt', eb.val(now)),
        firedAt: now,
        revision: eb('revision', '+', 1),
        dispatch: eb('dispatch', '+', 1),
        updatedAt: now,
        dispatchedAt: now,
      }))
      .where('id', '=', articleId)
      .execute();
    return true;
  });
}

/** Locks the article's row as well: a zone update moves schedules without the author's lock. */
function findDue(tx: Transaction<DB>, articleId: string, now: Date) {
  return tx
    .selectFrom('articles')
    .select(COMPARED_FIELDS)
    .select([sql<Date>`scheduled_at`.as('dueAt'), sql<DestinationKey[] | null>`scheduled_destinations`.as('promised')])
    .select(sql<DestinationKey[]>`${selectedConnectedDestinations}`.as('present'))
    .where('id', '=', articleId)
    .where('status', '=', 'SCHEDULED')
    .where('scheduledAt', '<=', now)
    .where(sql<boolean>`exists (select 1 from users where id = articles.author_id and suspended_at is null)`)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type DueArticle = NonNullable<Awaited<ReturnType<typeof findDue>>>;

/** Adds a notice when a suspension outlasts the scheduled time, instead of only when it ends. */
async function addHeldNotice(tx: Transaction<DB>, articleId: string, now: Date): Promise<void> {
  const held = await tx
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select('articles.scheduledAt')
    .where('articles.id', '=', articleId)
    .where('articles.status', '=', 'SCHEDULED')
    .where('articles.scheduledAt', '<=', now)
    .where('users.suspendedAt', 'is not', null)
    .executeTakeFirst();
  if (!held?.scheduledAt) return;
  const message = `Scheduled for ${held.scheduledAt.toISOString()}, but not published: your account is suspended. The article is published when the suspension ends.`;
  const dedupeKey = buildHeldKey(articleId, held.scheduledAt);
  await addArticleNotice(tx, { articleId, code: 'schedule_held', message, dedupeKey, now });
}

async function buildNotices(
  tx: Transaction<DB>,
  { dueAt, promised, present }: DueArticle,
  { articleId, now }: { articleId: string; now: Date },
): Promise<{ code: NoticeCode; message: string }[]> {
  // Notices appear on this site, so they name articles by their path.
  const clashes = await listClashWarnings(tx, articleId, '');
  const notices = clashes.map(({ code, message }) => ({ code, message }));
  const lateMs = now.getTime() - dueAt.getTime();
  if (lateMs >= MIN_REPORTED_DELAY_MS) {
    const cause = await describeLateness(tx, { articleId, dueAt, now });
    const message = `Scheduled for ${dueAt.toISOString()}, published ${describeDuration(lateMs)} late: ${cause}.`;
    notices.push({ code: 'published_late', message });
  }
  if (promised !== null && promised.join() !== present.join()) {
    const message = `Scheduled for ${formatDestinations(promised)}, published to ${formatDestinations(present)}: the connections have changed since.`;
    notices.push({ code: 'destinations_changed', message });
  }
  return notices;
}

function formatDestinations(destinations: DestinationKey[]): string {
  return destinations.length === 0 ? 'no destination' : destinations.join(', ');
}

function describeDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
