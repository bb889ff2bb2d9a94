/**
 * Decides the next step of one delivery, or what to write to the row when there is nothing to send.
 * Pure: the decision depends on the rows alone, so planning twice or late gives the right step.
 */
import { describeUnchangeable, describeWithdrawal } from '../destinations/posts/describe-withdrawal.ts';
import { isHandled, isSkipped } from './outcome.ts';
import { type SettleTimeouts, TIMEOUTS } from './timeouts.ts';
import type {
  AttemptStep,
  DeliveryAction,
  InFlight,
  PlatformRules,
  Rest,
  Situation,
  Step,
  UnknownAttempt,
} from './types.ts';

type Connected = Situation & { connection: NonNullable<Situation['connection']> };

/** `platform`: null if the destination is not connected or its platform has no adapter. */
export function nextStep(situation: Situation, platform: PlatformRules | null, timeouts: SettleTimeouts): Step {
  const { article, delivery } = situation;
  // First, because an open attempt may have made a post that the row does not record.
  const open = delivery.inFlight && finishInFlight(situation, delivery.inFlight, platform, timeouts);
  if (open) return open;
  if (article.isImported && !delivery.withdrawRequested) return rest('imported: the post there is the original');
  // A scheduled article is not public either, so its live copy is withdrawn.
  if (article.status !== 'PUBLISHED') {
    return delivery.hasLiveCopy ? withdraw(situation, platform, timeouts) : rest(NOT_PUBLIC[article.status]);
  }
  if (delivery.withdrawRequested) {
    return delivery.hasLiveCopy ? withdraw(situation, platform, timeouts) : rest('withdrawn at the author’s request');
  }
  if (!article.isSelected) return rest('not selected');
  if (article.isSuspended) return { ...rest('the author is suspended'), staysDue: true };
  if (!article.isEligible) return rest('not eligible for promotion');
  // Not with an attempt in flight: an open withdrawal may have hidden the copy.
  if (
    delivery.hasLiveCopy &&
    delivery.contentHash === article.hash &&
    !delivery.overwrite &&
    delivery.inFlight === null
  ) {
    return { ...rest('already delivered'), outcome: 'delivered', write: 'upToDate' };
  }
  if (isSkipped(situation)) return skip();
  if (isHandled(situation)) return rest('this publish was already answered');
  if (!isConnected(situation)) return hold('not connected');
  if (situation.connection.status === 'unauthorised') return hold('the credential was refused');
  return act(delivery.remoteId === null ? 'create' : 'update', situation, platform, timeouts);
}

const NOT_PUBLIC = { DRAFT: 'a draft is not delivered', SCHEDULED: 'scheduled: not due yet' } as const;

/** Null for an open update or withdrawal: it names its post, so it can be repeated. */
function finishInFlight(
  situation: Situation,
  inFlight: InFlight,
  platform: PlatformRules | null,
  timeouts: SettleTimeouts,
): Step | null {
  const { answer, action, dispatch } = inFlight;
  const lateUpdateInMs = computeLateUpdateMs(situation, timeouts);
  const resolve = { ...buildTarget(situation, platform), kind: 'conclude', dispatch, action, lateUpdateInMs } as const;
  const mayBeSaved = action === 'create' && answer?.kind === 'rejected' && answer.mayBeSaved === true;
  if (mayBeSaved && !isConnected(situation)) return hold('disconnected before the look-up');
  if (answer && answer.kind !== 'unknown') return { ...resolve, answer };
  const wasReported = action === 'create' && (inFlight.unknownDispatch ?? 0) >= situation.article.dispatch;
  if (wasReported && isConnected(situation)) return rest('waiting for the author to resolve it');
  return action === 'create' ? reconcile(situation, inFlight, platform, timeouts) : null;
}

function reconcile(
  situation: Situation,
  inFlight: InFlight,
  platform: PlatformRules | null,
  timeouts: SettleTimeouts,
): Step {
  if (!isConnected(situation)) return hold('disconnected while a post was being created there');
  if (!platform) return refuseUnsupported(situation, true);
  const { limits } = platform;
  const { answer, sentMsAgo, canRepeat } = inFlight;
  const settleInMs = computeProofDelay(inFlight, platform, timeouts);
  const target = buildTarget(situation, platform);
  // Not for a suspended author: a repeat creates the post if the first request did not.
  const repeatInMs = situation.article.isSuspended ? null : computeRepeatDelay(canRepeat, sentMsAgo, platform);
  // Without look-up or repeat, only the sending activity can receive the outcome. It may still run.
  const remainingCallMs = timeouts.httpMs + timeouts.startSendingMs + TIMEOUTS.storeAnswerMs - sentMsAgo;
  if (!limits.canFind && repeatInMs === null && answer === null && remainingCallMs > 0) {
    return { ...target, kind: 'wait', settleInMs: remainingCallMs };
  }
  return { ...target, kind: 'reconcile', settleInMs, repeatInMs };
}

/** Milliseconds until a look-up without a result proves that the create made no post. */
function computeProofDelay(
  { answer, answeredMsAgo, sentMsAgo }: InFlight,
  { limits }: PlatformRules,
  timeouts: SettleTimeouts,
): number {
  // The platform itself answered, so the request has arrived. Only its listing may lag.
  if (answer?.kind === 'unknown' && answer.mayArriveLate === false)
    return limits.readLagMs - (answeredMsAgo ?? sentMsAgo);
  // Counted from the mark. A look-up may miss a post until the read lag is over.
  return timeouts.httpMs + timeouts.startSendingMs + Math.max(timeouts.lateArrivalMs, limits.readLagMs) - sentMsAgo;
}

/** Null if a repeat proves nothing: already sent, too late, or not recognised by the platform. */
function computeRepeatDelay(
  canRepeat: boolean,
  sentMsAgo: number,
  { limits: { repeat } }: PlatformRules,
): number | null {
  if (repeat === null || !canRepeat || sentMsAgo >= repeat.withinMs) return null;
  return Math.max(0, repeat.afterMs - sentMsAgo);
}

function withdraw(situation: Situation, platform: PlatformRules | null, timeouts: SettleTimeouts): Step {
  if (isSkipped(situation)) return skip();
  if (isHandled(situation)) return rest('this publish was already answered');
  // The author was notified once. Without this, each reschedule would notify again.
  if (situation.delivery.failedWith === 'cannot_withdraw') return rest('the platform cannot withdraw a post');
  if (!isConnected(situation) || situation.connection.status === 'unauthorised') {
    return hold(describeCopy(situation, platform));
  }
  return act('withdraw', situation, platform, timeouts);
}

/** Refuses, before sending anything, what the platform does not support. */
function act(
  action: DeliveryAction,
  situation: Connected,
  platform: PlatformRules | null,
  timeouts: SettleTimeouts,
): Step {
  if (!platform) return refuseUnsupported(situation, false);
  const { label, limits } = platform;
  if (action === 'withdraw' && limits.withdraw === 'none') {
    const reason = describeCopy(situation, platform);
    return { ...buildTarget(situation, platform), kind: 'refuse', code: 'cannot_withdraw', reason, isUnsettled: false };
  }
  if (action === 'update' && !limits.canUpdate) {
    const reason = describeUnchangeable(label, situation.delivery.remoteUrl);
    return { ...rest(reason), write: 'unchangeable' };
  }
  const target = buildTarget(situation, platform);
  const settleInMs = computeSettleDelay(action, situation, timeouts);
  if (settleInMs > 0) return { ...target, kind: 'wait', settleInMs };
  if (action === 'update') return { ...target, kind: action };
  if (action === 'withdraw') {
    return { ...target, kind: action, lateUpdateInMs: computeLateUpdateMs(situation, timeouts) };
  }
  return { ...target, kind: action, shouldLookUp: limits.canFind && mayHavePost(situation) };
}

/**
 * Milliseconds until no other unanswered request can arrive, counted from its mark: a late request
 * must not undo a newer one. A withdrawal does not wait; it is repeated once late updates cannot
 * arrive.
 */
function computeSettleDelay(
  action: DeliveryAction,
  { article, delivery }: Situation,
  timeouts: SettleTimeouts,
): number {
  if (action === 'withdraw' && (delivery.presence !== 'uncertain' || delivery.inFlight !== null)) return 0;
  const others = delivery.unanswered.filter((sent) => sent.action !== action || sent.hash !== article.hash);
  return computeArrivalDelay(others, timeouts);
}

function computeLateUpdateMs({ delivery }: Situation, timeouts: SettleTimeouts): number {
  return computeArrivalDelay(
    delivery.unanswered.filter(({ action }) => action === 'update'),
    timeouts,
  );
}

/** Milliseconds until none of them can arrive. */
function computeArrivalDelay(sent: readonly UnknownAttempt[], timeouts: SettleTimeouts): number {
  const maxArrivalMs = timeouts.httpMs + timeouts.startSendingMs + timeouts.lateArrivalMs;
  return Math.max(0, ...sent.map(({ sentMsAgo }) => maxArrivalMs - sentMsAgo));
}

/** The row may come from a backup, and an account may hold a post older than its connection. */
function mayHavePost({ article, delivery }: Situation): boolean {
  return delivery.wasAttempted || delivery.wasRestored || article.ageMs > TIMEOUTS.freshMs;
}

function describeCopy({ connection, delivery }: Situation, platform: PlatformRules | null): string {
  return describeWithdrawal({ url: delivery.remoteUrl, connection }, platform).message;
}

function refuseUnsupported(situation: Connected, isUnsettled: boolean): AttemptStep {
  const reason = `This version has no adapter for the platform "${situation.connection.platform}".`;
  return { ...buildTarget(situation, null), kind: 'refuse', code: 'platform_unsupported', reason, isUnsettled };
}

function buildTarget({ article, connection, delivery }: Situation, platform: PlatformRules | null) {
  return {
    deliveryId: delivery.id,
    version: delivery.version,
    attemptId: delivery.inFlight?.id ?? null,
    dispatch: article.dispatch,
    connectionId: connection?.id ?? null,
    connectionVersion: connection?.version ?? 0,
    readLagMs: platform?.limits.readLagMs ?? 0,
    canFind: platform?.limits.canFind ?? false,
  } as const;
}

function isConnected(situation: Situation): situation is Connected {
  return situation.connection !== null;
}

function rest(reason: string): Rest {
  return { kind: 'rest', outcome: 'nothing', reason, write: null, staysDue: false };
}

function skip(): Rest {
  return rest('skipped at the author’s request');
}

function hold(reason: string): Rest {
  return { ...rest(reason), outcome: 'held', staysDue: true };
}
