/**
 * After the database was restored from a backup: asks every destination what stands there, before anything is sent. What the ledger does not know
 * is adopted; where nobody can be asked, the author is. What differs from the ledger is named, and left as it is. Digests that may have been mailed
 * are not mailed again. Safe to interrupt and to run twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { findPost } from '../activities/delivery/find-post.ts';
import { describeDecision } from '../activities/delivery/plan.ts';
import { nextStep } from '../delivery/next-step.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import type { Situation } from '../delivery/types.ts';
import type { Destination, DestinationClient, Platform } from '../destinations/types.ts';
import { openConnection } from '../store/connections/credentials.ts';
import type { Database } from '../store/db/database.ts';
import { recordEnding } from '../store/deliveries/record-ending.ts';
import { type LoadedDelivery, loadDelivery } from '../store/deliveries/situation.ts';
import { endAccessAfterRestore } from '../store/restores/end-access.ts';
import { leaveToAuthor } from '../store/restores/leave-to-author.ts';
import { markUnknownAfterRestore } from '../store/restores/mark-unknown.ts';
import {
  beginRestore,
  finishRestore,
  listRestoredDeliveries,
  type RestoredDelivery,
} from '../store/restores/restore.ts';
import { SealError, type Sealer } from '../store/secrets/sealing.ts';
import { passOverDigests } from './restored-digests.ts';

export interface RestoreDeps {
  db: Database;
  sealer: Sealer;
  baseUrl: string;
  findDestination: (platform: Platform) => Destination | null;
  allowPrivate: boolean | readonly string[];
  httpTimeoutMs: number;
  now: () => Date;
}

/** What was found out about one article at one destination. `same` is what the ledger says. */
export type Finding =
  | { kind: 'same' | 'adopted' | 'asked author'; url?: string }
  /** Adopted, and left as it is, with a notice for its author: in the backup the article is not public. */
  | { kind: 'not public'; url: string }
  /** Left as it is: the ledger names a post that is gone, or was changed, or is not the one that is found there. */
  | { kind: 'gone' | 'changed' | 'another post'; url: string }
  /** A later create looks first, so nothing is doubled. */
  | { kind: 'not checked'; why: string };

export interface RestoreReport {
  delivery: Pick<RestoredDelivery, 'articleId' | 'destination' | 'title'>;
  finding: Finding;
}

/** Accounts at once; one after the other at each. */
const ACCOUNTS = 8;
/** A platform that asks for more patience is not checked. */
const LONGEST_PAUSE_MS = 5 * 60_000;

export async function reconcileAfterRestore(
  deps: RestoreDeps,
): Promise<{ reports: RestoreReport[]; passedOverDigests: number; endedSessions: number }> {
  await beginRestore(deps.db);
  const { sessions: endedSessions } = await endAccessAfterRestore(deps.db, deps.now());
  const passedOverDigests = await passOverDigests(deps.db, { baseUrl: deps.baseUrl, now: deps.now() });
  const deliveries = await listRestoredDeliveries(deps.db, deps.now());
  const atOnce = pLimit(ACCOUNTS);
  const accounts = Map.groupBy(deliveries, ({ connectionId }) => connectionId);
  const reports = await Promise.all([...accounts.values()].map((list) => atOnce(() => reconcileAccount(deps, list))));
  await finishRestore(deps.db, deps.now());
  return { reports: reports.flat(), passedOverDigests, endedSessions };
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

/** Null where nothing can stand there. */
async function reconcileDelivery(deps: RestoreDeps, restored: RestoredDelivery): Promise<Finding | null> {
  const loaded = await loadDelivery(deps.db, restored, deps.baseUrl);
  if (!loaded) return null;
  const connection = await openConnectionSafely(deps, restored.connectionId);
  if (!connection) return { kind: 'not checked', why: 'the destination was disconnected meanwhile' };
  if (connection === 'unreadable') return { kind: 'not checked', why: 'the credential cannot be read' };
  const adapter = deps.findDestination(connection.platform as Platform);
  if (!adapter) return { kind: 'not checked', why: 'there is no adapter for its platform' };
  if (!adapter.limits.canFind) return askAuthor(deps, restored, loaded, adapter);
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
    // Sealed with a key that is not here; nothing is sent with it either.
    if (error instanceof SealError) return 'unreadable';
    throw error;
  }
}

/** Only where the next thing to happen would be a create. */
async function askAuthor(
  { db }: RestoreDeps,
  { isDue }: RestoredDelivery,
  loaded: LoadedDelivery,
  { label, ...adapter }: Destination,
): Promise<Finding | null> {
  const situation = passWaits(loaded.situation);
  const article = isDue ? { ...situation.article, status: 'PUBLISHED' as const } : situation.article;
  const step = nextStep({ ...situation, article }, { ...adapter, label }, TIMEOUTS);
  if (step.kind !== 'create') return null;
  const reason = `The service was restored from a backup, and ${label} cannot be asked whether the post was made since then. Look there, and say what you found (settleDelivery); nothing is sent by itself.`;
  const { lookUp, revision } = loaded;
  const attemptId = loaded.situation.delivery.inFlight?.id ?? null;
  const isMarked = await markUnknownAfterRestore(
    db,
    { step: { ...step, attemptId }, lookUp, revision, hash: situation.article.hash },
    reason,
  );
  return isMarked ? { kind: 'asked author' } : null;
}

/** What keeps it from being sent passes: a key that was refused is replaced, and what was refused for the time being is sent again. */
function passWaits({ article, connection, delivery }: Situation): Situation {
  const answer = delivery.inFlight?.answer?.kind;
  const isRepeated = answer === 'rateLimited' || answer === 'unavailable' || answer === 'unauthorised';
  return {
    article,
    connection: connection && { ...connection, status: 'active' },
    delivery: { ...delivery, inFlight: isRepeated ? null : delivery.inFlight },
  };
}

async function compare(
  deps: RestoreDeps,
  { articleId, isDue }: RestoredDelivery,
  { loaded, client }: { loaded: LoadedDelivery; client: DestinationClient<unknown> },
): Promise<Finding> {
  const { db, now } = deps;
  const { situation, unchangedSince } = loaded;
  const { delivery } = situation;
  const found = await repeatPatiently(() => findPost(deps, client, loaded));
  if (found.kind === 'changed') return { kind: 'not checked', why: 'the destination was disconnected meanwhile' };
  if (found.kind !== 'done') return { kind: 'not checked', why: found.reason };
  const url = delivery.remoteUrl ?? '';
  if (found.value === null) return delivery.remoteId === null ? { kind: 'same' } : { kind: 'gone', url };
  const { remoteId, changedAt } = found.value;
  if (delivery.remoteId === null) {
    const { url } = found.value;
    const isPublic = isDue || situation.article.status === 'PUBLISHED';
    if (!isPublic) await leaveToAuthor(db, { ...situation, articleId, url, now: now() });
    const attemptId = delivery.inFlight?.id ?? randomUUID();
    await recordEnding(db, {
      ...describeDecision(loaded),
      attemptId,
      ending: { kind: 'adopted', remote: found.value },
    });
    return { kind: isPublic ? 'adopted' : 'not public', url };
  }
  if (remoteId !== delivery.remoteId) return { kind: 'another post', url: found.value.url };
  const isChanged = unchangedSince !== null && changedAt !== null && Date.parse(changedAt) > Date.parse(unchangedSince);
  return isChanged ? { kind: 'changed', url } : { kind: 'same', url };
}

/** A look changes nothing, so it is repeated where the platform asks for patience, or is away for a moment. */
async function repeatPatiently(find: () => ReturnType<typeof findPost>) {
  for (let attempt = 1; ; attempt++) {
    const found = await find();
    const isPassing = found.kind === 'rateLimited' || found.kind === 'unavailable' || found.kind === 'unknown';
    if (!isPassing || attempt === 4) return found;
    const wantedMs = 'retryAfterMs' in found ? (found.retryAfterMs ?? null) : null;
    const pauseMs = wantedMs ?? (found.kind === 'rateLimited' ? TIMEOUTS.rateLimitMs : 2_000);
    if (pauseMs > LONGEST_PAUSE_MS) return found;
    await sleep(pauseMs);
  }
}
