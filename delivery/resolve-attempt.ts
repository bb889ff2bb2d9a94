/**
 * State machine of an attempt: maps each event to the next phase and effect. The workflow executes
 * the effect and feeds its event back, until the effect is `replan` or `end`.
 */
import {
  adoptPost,
  blockAccount,
  buildEnd,
  concludeDelivered,
  createAgain,
  enterPhase,
  finishDelivered,
  finishFailed,
  finishWithdrawn,
  giveUp,
  type Resolution,
  replan,
  replanAfterFailure,
  replanAtSlot,
  retryLater,
  retryUnavailable,
} from './endings.ts';
import { computePause, countFailure, isRetryPeriodOver, type RetryState, startStep } from './retry-state.ts';
import { TIMEOUTS } from './timeouts.ts';
import type {
  Attempt,
  AttemptStep,
  Event,
  LookUpOutcome,
  Refusal,
  RefusedCredential,
  SendOutcome,
  SentRequest,
} from './types.ts';

export function beginAttempt(step: AttemptStep, retry: RetryState): Attempt {
  return { step, phase: { kind: 'plan' }, retry: startStep(retry, step) };
}

/**
 * `now`: the time of the event, in epoch milliseconds. A create of unknown outcome is looked up at
 * once and again after the settle time, and created again only if it was not found. An update or a
 * withdrawal names its post, so it is repeated.
 */
export function resolveAttempt(attempt: Attempt, event: Event, now: number): Resolution {
  const { phase } = attempt;
  switch (event.kind) {
    case 'planned':
      return start(attempt, event.slotInMs, now);
    case 'sent':
      return phase.kind === 'repeat' ? resolveRepeat(attempt, event.outcome) : resolveSend(attempt, event.outcome, now);
    case 'lookedUp':
      return phase.kind === 'lookUpAfterRefusal'
        ? resolveLookUpAfterRefusal(attempt, phase.refusal, event.outcome, now)
        : resolveLookUp(attempt, event.outcome, now);
    case 'paused':
      return resolvePause(attempt);
    case 'probed':
      return resolveProbe(attempt, event.isRefused, now);
    case 'blocked':
      return phase.kind === 'block' ? retryLater(attempt, phase.retry, now) : refuseEvent(attempt, event);
    case 'recorded':
      return resolveRecord(attempt, event.isCurrent);
  }
}

function start(attempt: Attempt, slotInMs: number, now: number): Resolution {
  const { step } = attempt;
  if (step.kind === 'refuse') return finishFailed(attempt, step, step.isUnsettled ? 'unknown' : 'failed');
  if (step.kind === 'conclude') return resolveAnswer(attempt, step, now);
  if (step.kind === 'broken') return replanAfterFailure(attempt, step.problem, now);
  if (step.kind === 'wait') {
    return { attempt, effect: replanAtSlot(step.settleInMs, 'an earlier request may still arrive there') };
  }
  // Another step may be due when the slot is reached, so the delivery is planned again then.
  if (slotInMs > 0) {
    return { attempt, effect: replanAtSlot(slotInMs, 'waiting for the account’s rate slot') };
  }
  if (step.kind === 'reconcile') {
    return step.canFind
      ? enterPhase(attempt, { kind: 'lookUp' }, { kind: 'lookUp' })
      : startRepeat(attempt, step.repeatInMs);
  }
  return enterPhase(attempt, { kind: 'send' }, { kind: 'send', action: step.kind });
}

/** For an answer that its activity stored in the ledger but the workflow never received. */
function resolveAnswer(
  attempt: Attempt,
  { action, answer, ...target }: Extract<AttemptStep, { kind: 'conclude' }>,
  now: number,
): Resolution {
  const step: AttemptStep =
    action === 'create' ? { ...target, kind: action, shouldLookUp: false } : { ...target, kind: action };
  const { version, dispatch } = target;
  const sent = { attemptId: target.attemptId ?? '', version, dispatch };
  return resolveSend({ ...attempt, step, phase: { kind: 'send' } }, { ...answer, ...sent }, now);
}

function resolveSend(planned: Attempt, outcome: SendOutcome, now: number): Resolution {
  const attempt = 'attemptId' in outcome ? { ...planned, step: { ...planned.step, ...readSent(outcome) } } : planned;
  const { step } = attempt;
  switch (outcome.kind) {
    case 'done':
      if (outcome.remote === null) return finishWithdrawn(attempt, { deleted: outcome.deleted ?? false });
      return outcome.recorded
        ? concludeDelivered(attempt, outcome.recorded.isCurrent)
        : finishDelivered(attempt, outcome.remote);
    case 'found':
      return adoptPost(attempt, outcome.remote);
    case 'changed':
      return { attempt, effect: replan(0, 'something else is due') };
    case 'blocked':
      return { attempt, effect: replanAtSlot(outcome.forMs, 'the account’s rate limit is used up') };
    case 'lost':
      // The row records whether the attempt was marked; if so, the next plan is a look-up.
      return replanAfterFailure(attempt, outcome.reason, now);
    case 'unknown':
      // A create is looked up without a pause, even after earlier failures.
      return step.kind === 'create'
        ? { attempt: { ...attempt, retry: countFailure(attempt.retry, now) }, effect: replan(0, outcome.reason) }
        : retryLater(attempt, { code: 'outcome_unknown', reason: outcome.reason }, now);
    case 'unavailable':
      return retryUnavailable(attempt, outcome, { code: 'unavailable' }, now);
    case 'rateLimited':
      return blockAccount(attempt, outcome, now);
    case 'unauthorised':
      return refuseCredential(attempt, { reason: outcome.reason, isUnsettled: false });
    case 'drifted':
      return finishFailed(attempt, { code: 'drifted', reason: outcome.reason });
    case 'rejected':
      // A deleted post needs no withdrawal.
      if (step.kind === 'withdraw' && outcome.code === 'remote_gone')
        return finishWithdrawn(attempt, { deleted: true });
      return outcome.mayBeSaved && step.kind === 'create' && step.canFind
        ? lookUpAfterRefusal(attempt, outcome)
        : finishFailed(attempt, outcome);
  }
}

/** Some platforms reject a post after saving it; others reject it because it exists already. */
function lookUpAfterRefusal(attempt: Attempt, { code, reason, retryOnceAfterMs }: Refusal): Resolution {
  const refusal = { code, reason, ...(retryOnceAfterMs !== undefined && { retryOnceAfterMs }) };
  const phase = { kind: 'pauseBeforeLookUp', refusal } as const;
  return enterPhase(attempt, phase, { kind: 'pause', forMs: attempt.step.readLagMs });
}

function resolveLookUpAfterRefusal(attempt: Attempt, refusal: Refusal, look: LookUpOutcome, now: number): Resolution {
  if (look.kind === 'changed') return { attempt, effect: replan(0, 'something else is due') };
  if (look.kind !== 'done') {
    const atLeastMs = ('retryAfterMs' in look && look.retryAfterMs) || 0;
    return replanAfterFailure(attempt, look.reason, now, atLeastMs);
  }
  if (look.value !== null) return adoptPost(attempt, look.value);
  const { retryOnceAfterMs, ...rest } = refusal;
  if (retryOnceAfterMs !== undefined && !attempt.retry.hasRetriedCreate) {
    const waited = { ...attempt, retry: { ...attempt.retry, hasRetriedCreate: true } };
    return retryLater(waited, { ...rest, atLeastMs: retryOnceAfterMs }, now);
  }
  return finishFailed(attempt, rest);
}

/** After a look-up for a create of unknown outcome. */
function resolveLookUp(attempt: Attempt, look: LookUpOutcome, now: number): Resolution {
  switch (look.kind) {
    case 'done':
      return look.value === null ? resolveAbsence(attempt, now) : adoptPost(attempt, look.value);
    case 'changed':
      return { attempt, effect: replan(0, 'something else is due') };
    case 'unauthorised':
      return refuseCredential(attempt, { reason: look.reason, isUnsettled: true });
    case 'rejected': {
      const reason = `Could not check whether the post was created: ${look.reason}`;
      return finishFailed(attempt, { code: look.code, reason }, 'unknown');
    }
    case 'rateLimited':
      return blockAccount(attempt, { ...look, isUnsettled: true }, now);
    case 'unavailable':
      return retryUnavailable(attempt, look, { code: 'outcome_unknown', isUnsettled: true }, now);
    case 'unknown':
    case 'drifted':
      return retryLater(attempt, { code: 'outcome_unknown', reason: look.reason, isUnsettled: true }, now);
  }
}

function resolveAbsence(attempt: Attempt, now: number): Resolution {
  const { step, retry } = attempt;
  // The listing may be cached: looks again after the longer of settle time and read lag.
  if (step.kind === 'reconcile' && step.settleInMs > 0) {
    const afterMs = Math.max(step.settleInMs, step.readLagMs);
    return { attempt, effect: replan(afterMs, 'not there yet; checking once more') };
  }
  if (isRetryPeriodOver(retry, now)) return giveUp(attempt, 'No attempt received a response.', 'failed');
  // The first failure needs no pause.
  const afterMs = retry.failures > 1 ? computePause(retry.failures - 1) : 0;
  return createAgain(attempt, afterMs);
}

/**
 * For a platform without look-up that answers an identical request with the first request's post.
 * The request is repeated once. After any other answer, the author must resolve the attempt.
 */
function startRepeat(attempt: Attempt, repeatInMs: number | null): Resolution {
  if (repeatInMs === null) return finishFailed(attempt, CANNOT_LOOK_UP, 'unknown');
  if (repeatInMs === 0) return enterPhase(attempt, { kind: 'repeat' }, { kind: 'repeat' });
  const reason = 'repeating the same request to get the result of the first';
  return { attempt, effect: replan(repeatInMs, reason) };
}

function resolveRepeat(attempt: Attempt, outcome: SendOutcome): Resolution {
  // The row records the repeat, so the next plan does not repeat again.
  if (outcome.kind === 'changed' || outcome.kind === 'lost') {
    return { attempt, effect: replan(0, 'looking up the result of the repeat') };
  }
  if (outcome.kind === 'done' && outcome.remote) return finishDelivered(attempt, outcome.remote);
  // A duplicate of another article's post: the first request made no post either.
  if (outcome.kind === 'rejected' && /^duplicate_of_/.test(outcome.code)) return finishFailed(attempt, outcome);
  return finishFailed(attempt, CANNOT_LOOK_UP, 'unknown');
}

const CANNOT_LOOK_UP: Refusal = {
  code: 'outcome_unknown',
  reason:
    'Unknown whether the post was created: the destination did not confirm it, and Courant cannot check. Check there and report the result (settleDelivery). Nothing more is sent until then.',
};

/** Probes a refused credential once after a pause. A second refusal holds all its deliveries. */
function refuseCredential(attempt: Attempt, refused: RefusedCredential): Resolution {
  if (attempt.retry.hasProbed) return recordRefusedCredential(attempt, refused);
  const probing = { ...attempt, retry: { ...attempt.retry, hasProbed: true } };
  const record = { kind: 'retry', code: 'unauthorised', afterMs: TIMEOUTS.probeAfterMs, ...refused } as const;
  return enterPhase(probing, { kind: 'recordBeforeProbe', refused }, { kind: 'record', record });
}

function recordRefusedCredential(attempt: Attempt, refused: RefusedCredential): Resolution {
  const record = { kind: 'unauthorised', ...refused } as const;
  return enterPhase(attempt, { kind: 'recordUnauthorised', refused }, { kind: 'record', record });
}

function resolveProbe(attempt: Attempt, isRefused: boolean, now: number): Resolution {
  const { phase } = attempt;
  if (phase.kind !== 'probe') return refuseEvent(attempt, { kind: 'probed' });
  return isRefused
    ? recordRefusedCredential(attempt, phase.refused)
    : replanAfterFailure(attempt, 'checking the credential again', now);
}

function resolvePause(attempt: Attempt): Resolution {
  const { phase } = attempt;
  switch (phase.kind) {
    case 'pauseBeforeLookUp':
      return enterPhase(attempt, { ...phase, kind: 'lookUpAfterRefusal' }, { kind: 'lookUp' });
    case 'pauseBeforeProbe':
      return enterPhase(attempt, { ...phase, kind: 'probe' }, { kind: 'probe' });
    default:
      return refuseEvent(attempt, { kind: 'paused' });
  }
}

/** The next effect after an outcome was recorded. */
function resolveRecord(attempt: Attempt, isCurrent: boolean): Resolution {
  const { phase } = attempt;
  if (phase.kind === 'recordDelivered') return concludeDelivered(attempt, isCurrent);
  // A command, a publish or a connection change happened since the plan.
  if (!isCurrent) return { attempt, effect: replan(0, 'something else is due') };
  switch (phase.kind) {
    case 'record':
      return { attempt, effect: phase.then };
    case 'recordBeforeProbe':
      return enterPhase(
        attempt,
        { ...phase, kind: 'pauseBeforeProbe' },
        { kind: 'pause', forMs: TIMEOUTS.probeAfterMs },
      );
    case 'recordUnauthorised':
      return { attempt, effect: buildEnd('held', phase.refused.reason) };
    default:
      return refuseEvent(attempt, { kind: 'recorded' });
  }
}

/** Reached only by a bug in the workflow's loop: each effect yields an event of its kind. */
function refuseEvent({ phase }: Attempt, { kind }: { kind: Event['kind'] }): never {
  throw new Error(`An attempt in the phase "${phase.kind}" cannot continue with "${kind}".`);
}

function readSent({ attemptId, version, dispatch }: SentRequest): SentRequest {
  return { attemptId, version, dispatch };
}
