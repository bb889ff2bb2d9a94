/**
 * A simulated worker: the real plan, mark and records with an in-memory destination. It can be
 * interrupted at any point, and its requests can be answered later.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describeDecision } from '../../../activities/delivery/plan.ts';
import type { OutcomeInput } from '../../../delivery/activity-messages.ts';
import { nextStep } from '../../../delivery/next-step.ts';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import type { RemotePost } from '../../../destinations/types.ts';
import { markAttempt } from '../../../store/attempts/mark-attempt.ts';
import { recordAnswer } from '../../../store/attempts/record-answer.ts';
import { recordOutcome } from '../../../store/attempts/record-outcome.ts';
import { recordRest } from '../../../store/attempts/record-rest.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import type { TestLedger } from '../../support/database/ledger.ts';

/**
 * The interruption. `unsent`: before the send. `unanswered`: before the answer is stored.
 * `unrecorded`: before the ending is recorded. `unknown`: the answer is lost. `refused`: a
 * rejection.
 */
export type Interruption = 'none' | 'unsent' | 'unanswered' | 'unrecorded' | 'unknown' | 'refused';

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
const NO_TIMEOUTS = { httpMs: 0, startSendingMs: 0, lateArrivalMs: 0 };

type Decision = Omit<OutcomeInput, 'outcome'>;

interface At {
  accountId: string;
  remoteId: string | null;
}

export function createSimulatedWorker(ledger: TestLedger, articleId: string) {
  const key = { articleId, destination: 'cms_site' } as const;
  const posts: SimulatedPost[] = [];
  const late: (() => Promise<void>)[] = [];
  const { db } = ledger;

  const perform = (action: string, accountId: string, remoteId: string | null): DestinationAnswer => {
    if (action === 'create') {
      // Each site numbers its own posts, so two sites have the same ids.
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

  const record = async (decision: Decision, action: string, answer: DestinationAnswer) => {
    const end = (outcome: OutcomeInput['outcome']) => recordOutcome(db, { ...decision, outcome });
    if (answer.kind === 'rejected') await end({ ...answer, kind: 'failed', state: 'failed' });
    else if (answer.kind === 'unknown') {
      // The next plan looks up a create and repeats anything else.
      const retry = { code: 'outcome_unknown', reason: answer.reason, afterMs: 0, isUnsettled: false } as const;
      if (action !== 'create') await end({ kind: 'retry', ...retry });
    } else {
      assert.ok(answer.kind === 'done', answer.kind);
      if (action === 'withdraw') await end({ kind: 'withdrawn', deleted: false, mayReturn: false });
      else if (answer.remote) await end({ kind: 'delivered', remote: answer.remote });
    }
  };

  const send = async (decision: Decision, action: string, { accountId, remoteId }: At, cut: Interruption) => {
    const response = cut === 'refused' ? REFUSED : perform(action, accountId, remoteId);
    const answer = cut === 'unknown' ? UNKNOWN : response;
    const store = () => recordAnswer(db, decision, answer);
    if (cut === 'unanswered') late.push(store);
    else await store();
    if (cut !== 'unanswered' && cut !== 'unrecorded') await record(decision, action, answer);
  };

  return {
    posts,
    /** Plans and executes one step. Returns false if nothing is due. */
    async work(cut: Interruption): Promise<boolean> {
      const plan = await loadDelivery(db, key, 'https://courant.example');
      assert.ok(plan);
      const { situation, revision, lookUp } = plan;
      const { connection, delivery } = situation;
      const step = nextStep(situation, connection && RULES, NO_TIMEOUTS);
      const decision = describeDecision(plan);
      if (step.kind === 'rest') {
        assert.ok(await recordRest(db, decision, step), 'nothing came between');
        return false;
      }
      const planned = { ...decision, dispatch: step.dispatch, attemptId: step.attemptId ?? randomUUID() };
      if (step.kind === 'conclude') {
        await record(planned, step.action, step.answer);
        return true;
      }
      assert.ok(connection);
      const found = posts.find(({ accountId }) => accountId === connection.accountId);
      const looks = step.kind === 'reconcile' || (step.kind === 'create' && step.shouldLookUp);
      if (looks && found) {
        await recordOutcome(db, { ...planned, outcome: { kind: 'adopted', remote: found } });
        return true;
      }
      if (step.kind === 'reconcile') {
        await recordOutcome(db, { ...planned, outcome: { kind: 'absent' } });
        return true;
      }
      assert.ok(step.kind === 'create' || step.kind === 'update' || step.kind === 'withdraw', step.kind);
      const { kind: action } = step;
      const sent = await markAttempt(db, { step, situation, action, revision, lookUp, payload: null });
      assert.ok(sent, 'nothing came between');
      const at = { accountId: connection.accountId, remoteId: delivery.remoteId };
      if (cut !== 'unsent') await send({ ...decision, ...sent }, action, at, cut);
      return true;
    },
    /** Stores the oldest delayed answer, as an activity that was still running. */
    async answerLate(): Promise<void> {
      await late.shift()?.();
    },
  };
}
