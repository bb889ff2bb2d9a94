/** Sets up a delivery with a connection, and runs the store functions of the activities on it. */
import assert from 'node:assert/strict';
import type { Insertable } from 'kysely';
import { describeDecision, planDelivery } from '../../../../activities/delivery/plan.ts';
import { isAction } from '../../../../activities/delivery/send.ts';
import type { ActivityDeps } from '../../../../activities/deps.ts';
import type { OutcomeInput } from '../../../../delivery/activity-messages.ts';
import { TIMEOUTS } from '../../../../delivery/timeouts.ts';
import type { DestinationAnswer, RecordedOutcome } from '../../../../delivery/types.ts';
import { findDestination } from '../../../../destinations/clients.ts';
import { markAttempt } from '../../../../store/attempts/mark-attempt.ts';
import { recordAnswer } from '../../../../store/attempts/record-answer.ts';
import { recordOutcome } from '../../../../store/attempts/record-outcome.ts';
import { listCopiesOfArticles } from '../../../../store/copies/copies.ts';
import type { DB } from '../../../../store/db/types.ts';
import type { AddedDelivery, TestLedger } from '../../../support/database/ledger.ts';
import { listDeliveries } from '../../../support/list-deliveries.ts';

export const REMOTE = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
export const MADE = { kind: 'done', remote: REMOTE } as const;
export const DELIVERED = { kind: 'delivered', remote: REMOTE } as const;
export const CUT = { kind: 'unknown', reason: 'The connection was cut.' } as const;
export const FAILED = { kind: 'failed', state: 'failed', code: 'invalid', reason: 'No.' } as const;
export const RETRY = {
  kind: 'retry',
  code: 'unavailable',
  reason: 'It was away.',
  afterMs: 60_000,
  isUnsettled: false,
} as const;

export type Decision = Omit<OutcomeInput, 'outcome'>;
export type StartedDelivery = Awaited<ReturnType<typeof begin>>;

export async function begin(
  ledger: TestLedger,
  delivery: AddedDelivery = { dueAt: new Date() },
  article: Partial<Insertable<DB['articles']>> = {},
) {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, { dispatch: 1, ...article });
  const deliveryId = await ledger.addDelivery(articleId, delivery);
  const target = { authorId, articleId, destination: 'blogsite_a' } as const;
  const timeouts = { httpTimeoutMs: TIMEOUTS.httpMs, lateArrivalMs: TIMEOUTS.lateArrivalMs };
  const deps = { db, findDestination, baseUrl: 'https://here.example', ...timeouts } as ActivityDeps;
  const plan = async () => (await planDelivery(deps, target)) ?? assert.fail();
  const prepare = async (payload: unknown = null) => {
    const planned = await plan();
    const { step } = planned;
    assert.ok(isAction(step), JSON.stringify(step));
    const { situation, revision, lookUp } = planned;
    return async (): Promise<Decision | null> => {
      const sent = await markAttempt(db, { step, situation, action: step.kind, revision, lookUp, payload });
      return sent && { ...describeDecision(planned), ...sent };
    };
  };
  return {
    ...{ authorId, connectionId, articleId, deliveryId, target, plan, prepare },
    step: async () => {
      const { step } = await plan();
      return step.kind === 'rest' ? step.outcome : step.kind;
    },
    /** The decision for the open attempt, or for a new one. */
    async decision(attemptId?: string): Promise<Decision> {
      const planned = await plan();
      const { inFlight } = planned.situation.delivery;
      return { ...describeDecision(planned), attemptId: attemptId ?? inFlight?.id ?? assert.fail('nothing is open') };
    },
    /** Marks the due step as sent. */
    mark: async (payload?: unknown): Promise<Decision> =>
      (await (await prepare(payload))()) ?? assert.fail('not marked'),
    answer: (decision: Decision, answer: DestinationAnswer) => recordAnswer(db, decision, answer),
    end: (decision: Decision, outcome: RecordedOutcome, answer?: DestinationAnswer) =>
      recordOutcome(db, { ...decision, outcome }, answer),
    row: () => ledger.delivery(deliveryId),
    attempts: () => ledger.attempts(deliveryId),
    outcomes: async () => (await ledger.attempts(deliveryId)).map(({ outcome }) => outcome),
    async error() {
      const [delivery] = await listDeliveries(db, articleId);
      return [delivery?.errorCode, delivery?.error];
    },
    copies: () => listCopiesOfArticles(db, { authorId, articleIds: [articleId] }),
    isWoken: async () => (await ledger.outbox(articleId)).length > 0,
    events: async () => {
      const rows = await db.selectFrom('notifications').select('type').where('userId', '=', authorId).execute();
      return rows.map(({ type }) => type);
    },
  };
}
