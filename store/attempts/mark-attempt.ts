/** Marks an attempt in the ledger before anything is sent, if its plan is still current. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { nextPresence } from '../../delivery/presence.ts';
import type { AttemptStep, DeliveryAction, Presence, SentRequest, Situation } from '../../delivery/types.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import { prepareOnce } from '../db/prepared.ts';
import type { LookUpKeys } from '../db/types.ts';
import { applyDecision } from '../deliveries/decide.ts';

export interface PlannedAttempt {
  step: AttemptStep;
  /** The input of the plan. */
  situation: Situation;
  action: DeliveryAction;
  revision: number;
  lookUp: LookUpKeys;
  /** Stored if one identical repeat can replace a look-up; otherwise null. */
  payload: unknown;
}

/**
 * After the mark, a lost worker means an unknown outcome. Returns null if the article, its
 * connection or the delivery has changed since the plan. Uses the database's clock.
 */
export function markAttempt(db: Database, planned: PlannedAttempt): Promise<SentRequest | null> {
  const { step, situation, action, revision, lookUp, payload } = planned;
  const { deliveryId, dispatch } = step;
  const { inFlight } = situation.delivery;
  return applyDecision(
    db,
    { ...step, attemptId: inFlight?.id ?? null },
    async ({ tx, commitWith }, row, isPlanCurrent) => {
      const { articleId, accountId, copyId } = row;
      // A suspended author's copies may still be withdrawn.
      const isRefused = row.isSuspended && action !== 'withdraw';
      if (!isPlanCurrent || accountId === null || row.dispatch !== dispatch || isRefused) return null;
      // Endings and adoptions do not change the version, so they are checked separately.
      const { attempt: open } = row;
      const hasEnded =
        inFlight !== null && (open?.outcome !== null || (open.answer === null) !== (inFlight.answer === null));
      if (hasEnded || row.presence !== situation.delivery.presence) return null;
      const isNewCopy = copyId === null || (action === 'create' && row.presence === 'deleted');
      const presence = nextPresence(assumeLost(row.presence, inFlight?.action), action, 'open');
      const copy = { articleId, accountId, presence, copyId: isNewCopy ? randomUUID() : copyId };
      const wasUpdating = inFlight?.action === 'update';
      const attempt = { id: randomUUID(), deliveryId, accountId, copyId: copy.copyId, action, dispatch, revision };
      const stored = { lookUp: JSON.stringify(lookUp), payload: payload === null ? null : JSON.stringify(payload) };
      await commitWith(
        ...(inFlight ? [voidAttempt(tx, inFlight)] : []),
        ...(isNewCopy
          ? [...(copyId === null ? [] : [unsetCurrent(tx, { copyId })]), insertCopy(tx, copy)]
          : [openCopy(tx, { ...copy, wasUpdating, isChange: action !== 'withdraw' || inFlight !== null })]),
        raiseVersion(tx, { deliveryId }),
        insertAttempt(tx, { ...attempt, ...stored, contentHash: situation.article.hash }),
      );
      return { attemptId: attempt.id, version: row.version + 1, dispatch };
    },
  );
}

/** The new attempt ends the previous one without an answer. */
function assumeLost(presence: Presence, action: DeliveryAction | undefined): Presence {
  return action ? nextPresence(presence, action, 'lost') : presence;
}

const voidAttempt = prepareOnce('mark_void', (db, { id }: { id: string }) =>
  db
    .updateTable('deliveryAttempts')
    .set({ outcome: 'void', endedAt: NOW })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .compile(),
);

interface MarkedCopy {
  copyId: string;
  articleId: string;
  accountId: string;
  presence: Presence;
}

const unsetCurrent = prepareOnce('mark_former', (db, { copyId }: Pick<MarkedCopy, 'copyId'>) =>
  db.updateTable('copies').set({ isCurrent: false }).where('id', '=', copyId).compile(),
);

const insertCopy = prepareOnce('mark_copy', (db, { copyId, ...copy }: MarkedCopy) =>
  db
    .insertInto('copies')
    .values({ id: copyId, ...copy })
    .compile(),
);

/** Clears the content hash: the copy's content is unknown until the answer is recorded. */
const openCopy = prepareOnce(
  'mark_open',
  (db, { copyId, presence, wasUpdating, isChange }: MarkedCopy & { wasUpdating: boolean; isChange: boolean }) =>
    db
      .updateTable('copies')
      .set({
        presence,
        contentHash: sql<string | null>`case when not ${isChange}::boolean then content_hash end`,
        // An unanswered update may have changed the post's time.
        remoteChangedAt: sql<string | null>`case when ${wasUpdating}::boolean then null else remote_changed_at end`,
        updatedAt: NOW,
      })
      .where('id', '=', copyId)
      .compile(),
);

const raiseVersion = prepareOnce('mark_raise', (db, { deliveryId }: { deliveryId: string }) =>
  db
    .updateTable('deliveries')
    .set({
      ...NO_SLOT,
      version: sql`version + 1`,
      dueAt: NOW,
    })
    .where('id', '=', deliveryId)
    .compile(),
);

interface MarkedAttempt {
  id: string;
  deliveryId: string;
  accountId: string;
  copyId: string;
  action: DeliveryAction;
  dispatch: number;
  revision: number;
  contentHash: string;
  /** JSON, as is `payload`. */
  lookUp: string;
  payload: string | null;
}

const insertAttempt = prepareOnce('mark_insert', (db, attempt: MarkedAttempt) =>
  db
    .insertInto('deliveryAttempts')
    .values({ ...attempt, startedAt: NOW })
    .compile(),
);

/**
 * Marks the identical repeat of a create. Returns the first payload; null if it was already
 * repeated, if the platform no longer recognises the first request, or if the plan is outdated.
 */
export function markRepeat(db: Database, step: AttemptStep, withinMs: number): Promise<{ payload: unknown } | null> {
  return applyDecision(db, step, async ({ tx }, { attempt }, isPlanCurrent) => {
    if (!isPlanCurrent || !attempt) return null;
    const row = await tx
      .updateTable('deliveryAttempts')
      .set({ repeatedAt: NOW, answer: null, answeredAt: null, code: null, reason: null })
      .where('id', '=', attempt.id)
      .where('action', '=', 'create')
      .where('endedAt', 'is', null)
      .where('repeatedAt', 'is', null)
      .where('payload', 'is not', null)
      .where('startedAt', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${withinMs / 1000})`)
      .returning('payload')
      .executeTakeFirst();
    return row ?? null;
  });
}
