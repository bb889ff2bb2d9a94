/**
 * A worker without a wire: the real plan, mark and records over a destination that is a list in memory. It can be cut at any point, and what
 * it asked may be answered later.
 */
import assert from 'node:assert/strict';
import { nextStep } from '../../../delivery/next-step.ts';
import type { AttemptStep, DestinationAnswer } from '../../../delivery/types.ts';
import type { RemotePost } from '../../../destinations/types.ts';
import { recordAnswer } from '../../../store/deliveries/end-attempt.ts';
import { tellOfUnanswered } from '../../../store/deliveries/left-behind.ts';
import { markAttempt, type PlannedAttempt } from '../../../store/deliveries/mark-attempt.ts';
import { recordFailed, recordHeld, recordRetry } from '../../../store/deliveries/record-failure.ts';
import * as outcomes from '../../../store/deliveries/record-outcome.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import type { TestLedger } from '../../support/ledger.ts';

/**
 * Where the worker is cut: never, before anything is sent, before the answer reaches the ledger, or before its end is recorded. Or the
 * destination's answer is lost on the way, or it refuses.
 */
export type Cut = 'none' | 'unsent' | 'unanswered' | 'unrecorded' | 'unknown' | 'refused';

export interface SimulatedPost extends RemotePost {
  accountId: string;
  isLive: boolean;
}

const RULES = {
  label: 'Simulated',
  limits: { readLagMs: 0, canFind: true, canUpdate: true, withdraw: 'unpublished', repeat: null },
} as const;
const UNKNOWN = { kind: 'unknown', reason: 'The connection was cut.' } as const;
const REFUSED = { kind: 'rejected', code: 'refused', reason: 'No.' } as const;
const AT_ONCE = { httpMs: 0, startSendingMs: 0, lateArrivalMs: 0 };

export function createSimulatedWorker(ledger: TestLedger, articleId: string) {
  const key = { articleId, destination: 'cms_site' } as const;
  const posts: SimulatedPost[] = [];
  const late: (() => Promise<void>)[] = [];
  const { db } = ledger;

  const perform = (action: string, accountId: string, remoteId: string | null): DestinationAnswer => {
    if (action === 'create') {
      // Each site counts its own posts: the ids of two of them are the same.
      const remoteId = String(105 + posts.filter((post) => post.accountId === accountId).length);
      const url = `https://${accountId}.example/${remoteId}`;
      const post = { accountId, remoteId, url, changedAt: null, isLive: true };
      posts.push(post);
      return { kind: 'done', remote: { remoteId, url, changedAt: null } };
    }
    const post = posts.find((one) => one.accountId === accountId && one.remoteId === remoteId);
    assert.ok(post, `${action} of a post that is not at the account`);
    post.isLive = action === 'update';
    return { kind: 'done', remote: action === 'update' ? { ...post } : null };
  };

  const record = async (step: AttemptStep, attempt: number, action: string, answer: DestinationAnswer) => {
    const row = { deliveryId: step.deliveryId, attempt, now: new Date() };
    if (answer.kind === 'rejected') {
      const outcomeKey = `failed:${step.deliveryId}:${attempt}`;
      await recordFailed(db, { ...row, ...answer, outcomeKey, state: 'failed', dispatch: step.dispatch });
      return;
    }
    if (answer.kind === 'unknown') {
      // A create is looked up by the next plan; anything else is sent again.
      const retry = { code: 'outcome_unknown', reason: answer.reason, nextAttemptAt: row.now, stillInFlight: false };
      if (action !== 'create') await recordRetry(db, { ...row, ...retry });
      return;
    }
    assert.ok(answer.kind === 'done', answer.kind);
    if (action === 'withdraw') await outcomes.recordWithdrawn(db, { ...row, deleted: false, dispatch: step.dispatch });
    else if (answer.remote) {
      const outcomeKey = `delivered:${step.deliveryId}:${attempt}`;
      await outcomes.recordDelivered(db, { ...row, outcomeKey, remote: answer.remote });
    }
  };

  const send = async (step: AttemptStep, number: number, planned: PlannedAttempt, cut: Cut) => {
    const { action, connection, situation } = planned;
    const { id: deliveryId, remoteId } = situation.delivery;
    const made = cut === 'refused' ? REFUSED : perform(action, connection.accountId, remoteId);
    const answer = cut === 'unknown' ? UNKNOWN : made;
    const keep = () => recordAnswer(db, { deliveryId, number, answer });
    if (cut === 'unanswered') late.push(keep);
    else await keep();
    if (cut !== 'unanswered' && cut !== 'unrecorded') await record(step, number, action, answer);
  };

  return {
    posts,
    /** Plans and does one thing. False where nothing is due. */
    async work(cut: Cut): Promise<boolean> {
      const plan = await loadDelivery(db, key, 'https://courant.example');
      assert.ok(plan);
      const { situation, revision, lookUp } = plan;
      if (plan.hasLeftAttempt) await tellOfUnanswered(db, situation.delivery.id);
      const { connection, delivery } = situation;
      const step = nextStep(situation, connection && RULES, AT_ONCE);
      if (step.kind === 'rest') {
        const { write, why: reason } = step;
        if (write?.kind === 'held') await recordHeld(db, delivery.id, { code: write.code, reason, now: new Date() });
        return false;
      }
      if (step.kind === 'resolve') {
        await record(step, step.attempt, step.action, step.answer);
        return true;
      }
      assert.ok(connection);
      const found = posts.find(({ accountId }) => accountId === connection.accountId);
      const looks = step.kind === 'reconcile' || (step.kind === 'create' && step.lookFirst);
      const adopted = { deliveryId: delivery.id, attempt: step.attempt, now: new Date() };
      if (looks && found) {
        await outcomes.recordAdopted(db, { ...adopted, remote: found });
        return true;
      }
      if (step.kind === 'reconcile') {
        await outcomes.recordAbsent(db, adopted);
        return true;
      }
      assert.ok(step.kind === 'create' || step.kind === 'update' || step.kind === 'withdraw', step.kind);
      const planned = { situation, connection, action: step.kind, revision, lookUp, payload: null };
      const number = await markAttempt(db, planned);
      assert.ok(number, 'nothing came between');
      if (cut !== 'unsent') await send(step, number, planned, cut);
      return true;
    },
    /** The answer that has waited longest reaches the ledger, as from an activity that was still at work. */
    async answerLate(): Promise<void> {
      await late.shift()?.();
    },
  };
}
