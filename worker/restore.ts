/**
 * Compares a restored database with all destinations before anything is sent: adopts posts missing
 * from the ledger, reports other differences, and marks unverifiable creates for their author.
 * Closes digests that may have been mailed. Idempotent and safe to interrupt.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { findPost } from '../activities/delivery/look-up.ts';
import { describeDecision } from '../activities/delivery/plan.ts';
import { nextStep } from '../delivery/next-step.ts';
import { isHandled, isSkipped } from '../delivery/outcome.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import type { Situation } from '../delivery/types.ts';
import { isChangedSince } from '../destinations/posts/drift.ts';
import type { Destination, DestinationClient, Platform } from '../destinations/types.ts';
import { buildDigestMessageId } from '../mail/digest/render.ts';
import { recordOutcome } from '../store/attempts/record-outcome.ts';
import { openConnection } from '../store/connections/credentials.ts';
import type { Database } from '../store/db/database.ts';
import { type LoadedDelivery, loadDelivery } from '../store/deliveries/situation.ts';
import { beginDigestRow, closeDigest } from '../store/digests/digest-row.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../store/digests/due-authors.ts';
import { chooseDigestDate } from '../store/digests/due-date.ts';
import { markUnknownAfterRestore } from '../store/restores/mark-unknown.ts';
import {
  beginRestore,
  endAccessAfterRestore,
  finishRestore,
  listRestoredDeliveries,
  type RestoredDelivery,
  skipForAuthor,
} from '../store/restores/restore.ts';
import { SealError, type Sealer } from '../store/secrets/sealing.ts';

export interface RestoreDeps {
  db: Database;
  sealer: Sealer;
  baseUrl: string;
  findDestination: (platform: Platform) => Destination | null;
  allowPrivate: boolean | readonly string[];
  httpTimeoutMs: number;
  now: () => Date;
}

/** The result for one article at one destination. `same`: matches the ledger. */
export type RestoreFinding =
  | { kind: 'same' | 'adopted' | 'marked for author'; url?: string }
  /** Adopted without a change, with a notice to the author: the backup's article is not public. */
  | { kind: 'not public'; url: string }
  /** Not changed: the recorded post was deleted or edited, or a different post was found. */
  | { kind: 'gone' | 'changed' | 'another post'; url: string }
  /** A later create looks up first, so it makes no duplicate. */
  | { kind: 'not checked'; why: string };

export interface RestoreReport {
  delivery: Pick<RestoredDelivery, 'articleId' | 'destination' | 'title'>;
  finding: RestoreFinding;
}

/** Concurrent accounts; the deliveries of one account run in sequence. */
const MAX_CONCURRENT_ACCOUNTS = 8;
/** A platform that requires a longer pause is not checked. */
const MAX_PAUSE_MS = 5 * 60_000;

export async function reconcileAfterRestore(
  deps: RestoreDeps,
): Promise<{ reports: RestoreReport[]; closedDigests: number; endedSessions: number }> {
  await beginRestore(deps.db);
  const { sessions: endedSessions } = await endAccessAfterRestore(deps.db, deps.now());
  const closedDigests = await closeDueDigestsAfterRestore(deps.db, { baseUrl: deps.baseUrl, now: deps.now() });
  const deliveries = await listRestoredDeliveries(deps.db, deps.now());
  const limit = pLimit(MAX_CONCURRENT_ACCOUNTS);
  const accounts = Map.groupBy(deliveries, ({ connectionId }) => connectionId);
  const reports = await Promise.all([...accounts.values()].map((list) => limit(() => reconcileAccount(deps, list))));
  await finishRestore(deps.db, deps.now());
  return { reports: reports.flat(), closedDigests, endedSessions };
}

async function reconcileAccount(deps: RestoreDeps, deliveries: RestoredDelivery[]): Promise<RestoreReport[]> {
  const reports: RestoreReport[] = [];
  for (const { articleId, destination, title, ...rest } of deliveries) {
    const delivery = { articleId, destination, title };
    const finding = await reconcileDelivery(deps, { ...delivery, ...rest });
    if (finding) reports.push({ delivery, finding });
  }
  return reports;
}

/** Null if the delivery was deleted or no post can exist. */
async function reconcileDelivery(deps: RestoreDeps, restored: RestoredDelivery): Promise<RestoreFinding | null> {
  const loaded = await loadDelivery(deps.db, restored, deps.baseUrl);
  if (!loaded) return null;
  const connection = await openConnectionSafely(deps, restored.connectionId);
  if (!connection) return { kind: 'not checked', why: 'the destination was disconnected in the meantime' };
  if (connection === 'unreadable') return { kind: 'not checked', why: 'the credential cannot be read' };
  const adapter = deps.findDestination(connection.platform as Platform);
  if (!adapter) return { kind: 'not checked', why: 'this version has no adapter for its platform' };
  if (!adapter.limits.canFind) return markForAuthor(deps, restored, loaded, adapter);
  const client = adapter.createClient({
    connection,
    timeoutMs: deps.httpTimeoutMs,
    now: deps.now,
    allowPrivate: deps.allowPrivate,
  });
  return compare(deps, restored, { loaded, client });
}

async function openConnectionSafely({ db, sealer }: RestoreDeps, id: string) {
  try {
    return await openConnection(db, sealer, id);
  } catch (error) {
    // Sealed with a key that is missing here, so no delivery can use it either.
    if (error instanceof SealError) return 'unreadable';
    throw error;
  }
}

/**
 * Records an attempt of unknown outcome if the post may have been created since the backup. Its
 * author is notified at once if the delivery was due in the backup, else at the next publish.
 */
async function markForAuthor(
  { db }: RestoreDeps,
  { isDue }: RestoredDelivery,
  loaded: LoadedDelivery,
  { label, ...adapter }: Destination,
): Promise<RestoreFinding | null> {
  const situation = ignoreObstacles(loaded.situation);
  const article = isDue ? { ...situation.article, status: 'PUBLISHED' as const } : situation.article;
  const step = nextStep({ ...situation, article }, { ...adapter, label }, TIMEOUTS);
  if (step.kind !== 'create') return null;
  const reason = `The service was restored from a backup, and Courant cannot check whether ${label} has created the post since then. Check there and report the result (settleDelivery). Nothing is sent until then.`;
  const { lookUp, revision } = loaded;
  const attemptId = loaded.situation.delivery.inFlight?.id ?? null;
  const { withdrawRequested } = loaded.situation.delivery;
  const wasDue = !isHandled(loaded.situation) && !isSkipped(loaded.situation) && !withdrawRequested;
  const isMarked = await markUnknownAfterRestore(
    db,
    { step: { ...step, attemptId }, lookUp, revision, hash: situation.article.hash, wasDue },
    reason,
  );
  return isMarked ? { kind: 'marked for author' } : null;
}

/**
 * Returns the situation after everything that prevents a create has ended: a refused credential is
 * replaced, a rate-limited or failed request is sent again, and the author publishes again.
 */
function ignoreObstacles({ article, connection, delivery }: Situation): Situation {
  const answer = delivery.inFlight?.answer?.kind;
  const isRepeated = answer === 'rateLimited' || answer === 'unavailable' || answer === 'unauthorised';
  return {
    article: { ...article, isSuspended: false },
    connection: connection && { ...connection, status: 'active' },
    delivery: {
      ...delivery,
      inFlight: isRepeated ? null : delivery.inFlight,
      handledDispatch: 0,
      skippedDispatch: 0,
      withdrawRequested: false,
    },
  };
}

async function compare(
  deps: RestoreDeps,
  { articleId, isDue }: RestoredDelivery,
  { loaded, client }: { loaded: LoadedDelivery; client: DestinationClient<unknown> },
): Promise<RestoreFinding> {
  const { db, now } = deps;
  const { situation, unchangedSince, withdrawnAt } = loaded;
  const { delivery } = situation;
  const found = await retryLookUp(() => findPost(deps, client, loaded));
  if (found.kind === 'changed') return { kind: 'not checked', why: 'the destination was disconnected in the meantime' };
  if (found.kind !== 'done') return { kind: 'not checked', why: found.reason };
  const url = delivery.remoteUrl ?? '';
  if (found.value === null) return delivery.remoteId === null ? { kind: 'same' } : { kind: 'gone', url };
  const { remoteId, changedAt } = found.value;
  if (delivery.remoteId === null) {
    const { url } = found.value;
    const isPublic = isDue || situation.article.status === 'PUBLISHED';
    if (!isPublic) await skipForAuthor(db, { ...situation, articleId, url, now: now() });
    const attemptId = delivery.inFlight?.id ?? randomUUID();
    await recordOutcome(db, {
      ...describeDecision(loaded),
      attemptId,
      outcome: { kind: 'adopted', remote: found.value },
    });
    return { kind: isPublic ? 'adopted' : 'not public', url };
  }
  if (remoteId !== delivery.remoteId) return { kind: 'another post', url: found.value.url };
  const isChanged = unchangedSince !== null && changedAt !== null && Date.parse(changedAt) > Date.parse(unchangedSince);
  // Platforms do not state when they hid a copy, so our own time is compared.
  const isPublishedAgain = isChangedSince(changedAt, withdrawnAt?.toISOString());
  return isChanged || isPublishedAgain ? { kind: 'changed', url } : { kind: 'same', url };
}

/** Retries a rate-limited or unavailable platform: a look-up is read-only. */
async function retryLookUp(find: () => ReturnType<typeof findPost>) {
  for (let attempt = 1; ; attempt++) {
    const found = await find();
    const isTemporary = found.kind === 'rateLimited' || found.kind === 'unavailable' || found.kind === 'unknown';
    if (!isTemporary || attempt === 4) return found;
    const retryAfterMs = 'retryAfterMs' in found ? (found.retryAfterMs ?? null) : null;
    const pauseMs = retryAfterMs ?? (found.kind === 'rateLimited' ? TIMEOUTS.rateLimitMs : 2_000);
    if (pauseMs > MAX_PAUSE_MS) return found;
    await sleep(pauseMs);
  }
}

const DIGEST_REASON =
  'The service was restored from a backup, and this digest may have been sent since. It is not sent twice.';
const DIGEST_PAGE_SIZE = 100;

/**
 * Closes the due digests as `unknown`: they may have been mailed after the backup, and must not be
 * mailed twice. The next digest is due as usual. Returns the number of closed digests. Idempotent.
 */
async function closeDueDigestsAfterRestore(db: Database, site: { baseUrl: string; now: Date }): Promise<number> {
  let closed = 0;
  for (let after: DueCursor | null = null; ; ) {
    const page: DueAuthor[] = await listDueAuthors(db, { until: site.now, after, limit: DIGEST_PAGE_SIZE });
    for (const author of page) if (await closeAsUnknown(db, author, site)) closed += 1;
    const last = page.at(-1);
    if (!last || page.length < DIGEST_PAGE_SIZE) return closed;
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
  await closeDigest(db, { ...key, outcome: { kind: 'unknown', reason: DIGEST_REASON }, now });
  return true;
}

/** Completes the line of a delivery in the output of `npm run restore`. */
export function describeFinding(finding: RestoreFinding): string {
  switch (finding.kind) {
    case 'adopted':
      return `was created after the backup: ${finding.url} is its copy again`;
    case 'not public':
      return `is live at ${finding.url}, but the article is not public in the backup; the copy was not changed, and the author has a notice`;
    case 'marked for author':
      return 'may have been created after the backup, and Courant cannot check the platform: nothing is sent until the author has resolved it';
    case 'gone':
      return `the copy at ${finding.url} no longer exists`;
    case 'changed':
      return `the copy at ${finding.url} was changed after the backup; it stays unchanged until the author overwrites it`;
    case 'another post':
      return `another post has replaced it: ${finding.url}`;
    case 'not checked':
      return `was not checked (${finding.why}); it is looked up before anything is created there`;
    case 'same':
      return 'as recorded';
  }
}
