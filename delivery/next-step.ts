/**
 * What is due for one article at one destination, and what to write where nothing is sent: decided from the rows alone, so that
 * a step that is planned twice, or late, is still the right one.
 */
import { describeUnchangeable, describeWithdrawal } from '../destinations/posts/copy-fate.ts';
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
  Unanswered,
} from './types.ts';

/** Only what is connected is attempted. */
type Connected = Situation & { connection: NonNullable<Situation['connection']> };

/** `platform` is null where the destination is not connected, or there is no adapter for it. */
export function nextStep(situation: Situation, platform: PlatformRules | null, timeouts: SettleTimeouts): Step {
  const { article, delivery } = situation;
  // Before anything else: whatever happened since, a post may be out there that the row does not know.
  const open = delivery.inFlight && finishInFlight(situation, delivery.inFlight, platform, timeouts);
  if (open) return open;
  if (article.imported && !delivery.withdrawRequested) return rest('imported: what stands there is the original');
  // Also where it is scheduled by now: until its hour it is as little public as a draft.
  if (article.status !== 'PUBLISHED') {
    return delivery.hasLiveCopy ? withdraw(situation, platform, timeouts) : rest(NOT_PUBLIC[article.status]);
  }
  if (delivery.withdrawRequested) {
    return delivery.hasLiveCopy ? withdraw(situation, platform, timeouts) : rest('withdrawn at the author’s request');
  }
  if (!article.selected) return rest('not asked for');
  if (article.isSuspended) return { ...rest('its author is suspended'), staysDue: true };
  if (!article.eligible) return rest('not eligible for promotion');
  // An open withdrawal may have arrived.
  if (
    delivery.hasLiveCopy &&
    delivery.contentHash === article.hash &&
    !delivery.overwrite &&
    delivery.inFlight === null
  ) {
    return { ...rest('carried already'), outcome: 'delivered', write: 'upToDate' };
  }
  if (isSkipped(situation)) return skip();
  if (isHandled(situation)) return rest('this publish was answered already');
  if (!isConnected(situation)) return hold('not connected');
  if (situation.connection.status === 'unauthorised') return hold('the credential was refused');
  return act(delivery.remoteId === null ? 'create' : 'update', situation, platform, timeouts);
}

const NOT_PUBLIC = { DRAFT: 'a draft is not delivered', SCHEDULED: 'scheduled: not due yet' } as const;

/** Null where the attempt needs nothing before the next one: an update or a withdrawal that is repeated names its post. */
function finishInFlight(
  situation: Situation,
  inFlight: InFlight,
  platform: PlatformRules | null,
  timeouts: SettleTimeouts,
): Step | null {
  const { answer, action, dispatch } = inFlight;
  const lateUpdateInMs = countMsOfLateUpdates(situation, timeouts);
  const resolve = { ...buildTarget(situation, platform), kind: 'resolve', dispatch, action, lateUpdateInMs } as const;
  const maybeSaved = action === 'create' && answer?.kind === 'rejected' && answer.maybeSaved === true;
  if (maybeSaved && !isConnected(situation)) return hold('disconnected before the look-up');
  if (answer && answer.kind !== 'unknown') return { ...resolve, answer };
  const wasAsked = action === 'create' && (inFlight.unknownDispatch ?? 0) >= situation.article.dispatch;
  if (wasAsked && isConnected(situation)) return rest('its author was asked to look');
  return action === 'create' ? reconcile(situation, inFlight, platform, timeouts) : null;
}

function reconcile(
  situation: Situation,
  inFlight: InFlight,
  platform: PlatformRules | null,
  timeouts: SettleTimeouts,
): Step {
  if (!isConnected(situation)) return hold('disconnected while a post was being made there');
  if (!platform) return refuseUnsupported(situation, true);
  const { limits } = platform;
  const { answer, forMs, canRepeat } = inFlight;
  const settleInMs = countMsUntilProof(inFlight, platform, timeouts);
  const target = buildTarget(situation, platform);
  // A repeat creates the post if the first request did not.
  const repeatInMs = situation.article.isSuspended ? null : computeRepeatDelay(canRepeat, forMs, platform);
  // Only the activity that asks can learn the outcome there, and it may still be at work.
  const atWorkMs = timeouts.httpMs + timeouts.startSendingMs + TIMEOUTS.keepAnswerMs - forMs;
  if (!limits.canFind && repeatInMs === null && answer === null && atWorkMs > 0) {
    return { ...target, kind: 'settle', settleInMs: atWorkMs };
  }
  return { ...target, kind: 'reconcile', settleInMs, repeatInMs };
}

/** How long a look-up that finds nothing proves nothing yet. */
function countMsUntilProof(
  { answer, answeredForMs, forMs }: InFlight,
  { limits }: PlatformRules,
  timeouts: SettleTimeouts,
): number {
  // The platform itself answered, so the request is not on its way any more: only its listing may lag behind.
  if (answer?.kind === 'unknown' && answer.mayArriveLate === false) return limits.readLagMs - (answeredForMs ?? forMs);
  // From the mark on, an attempt of ours can arrive at the destination for so long, and a look-up may miss it for longer.
  return timeouts.httpMs + timeouts.startSendingMs + Math.max(timeouts.lateArrivalMs, limits.readLagMs) - forMs;
}

/** Null where a repeat proves nothing: sent once more already, too late, or the platform does not recognise one. */
function computeRepeatDelay(canRepeat: boolean, forMs: number, { limits: { repeat } }: PlatformRules): number | null {
  if (repeat === null || !canRepeat || forMs >= repeat.withinMs) return null;
  return Math.max(0, repeat.afterMs - forMs);
}

function withdraw(situation: Situation, platform: PlatformRules | null, timeouts: SettleTimeouts): Step {
  if (isSkipped(situation)) return skip();
  if (isHandled(situation)) return rest('this publish was answered already');
  // Its author was told once; each reschedule would say it again.
  if (situation.delivery.failedWith === 'cannot_withdraw') return rest('the platform cannot take a post back');
  if (!isConnected(situation) || situation.connection.status === 'unauthorised') {
    return hold(describeCopy(situation, platform));
  }
  return act('withdraw', situation, platform, timeouts);
}

/** What the platform cannot do at all is sorted out before anything is sent. */
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
    return { ...buildTarget(situation, platform), kind: 'refuse', code: 'cannot_withdraw', reason, unsettled: false };
  }
  if (action === 'update' && !limits.canUpdate) {
    const why = describeUnchangeable(label, situation.delivery.remoteUrl);
    return { ...rest(why), write: 'unchangeable' };
  }
  const target = buildTarget(situation, platform);
  const settleInMs = countMsToSettle(action, situation, timeouts);
  if (settleInMs > 0) return { ...target, kind: 'settle', settleInMs };
  if (action === 'update') return { ...target, kind: action };
  if (action === 'withdraw') {
    return { ...target, kind: action, lateUpdateInMs: countMsOfLateUpdates(situation, timeouts) };
  }
  return { ...target, kind: action, lookFirst: limits.canFind && mayHavePost(situation) };
}

/**
 * A late update or withdrawal must not overtake a newer one: what nobody answered is waited for, unless it is what is due now. The time
 * runs from its mark. A withdrawal is sent at once, and once more when a late update cannot put the copy back any more.
 */
function countMsToSettle(action: DeliveryAction, { article, delivery }: Situation, timeouts: SettleTimeouts): number {
  if (action === 'withdraw' && (delivery.presence !== 'uncertain' || delivery.inFlight !== null)) return 0;
  const others = delivery.unanswered.filter((sent) => sent.action !== action || sent.hash !== article.hash);
  return countMsToArrive(others, timeouts);
}

function countMsOfLateUpdates({ delivery }: Situation, timeouts: SettleTimeouts): number {
  return countMsToArrive(
    delivery.unanswered.filter(({ action }) => action === 'update'),
    timeouts,
  );
}

/** How long any of them may still arrive. */
function countMsToArrive(sent: readonly Unanswered[], timeouts: SettleTimeouts): number {
  const longestMs = timeouts.httpMs + timeouts.startSendingMs + timeouts.lateArrivalMs;
  return Math.max(0, ...sent.map(({ forMs }) => longestMs - forMs));
}

/** The row may come from a backup, and an account may have the post from before it was connected here. */
function mayHavePost({ article, delivery }: Situation): boolean {
  return delivery.wasAttempted || delivery.wasRestored || article.ageMs > TIMEOUTS.freshMs;
}

function describeCopy({ connection, delivery }: Situation, platform: PlatformRules | null): string {
  return describeWithdrawal({ url: delivery.remoteUrl, connection }, platform).message;
}

function refuseUnsupported(situation: Connected, unsettled: boolean): AttemptStep {
  const reason = `There is no adapter for the platform "${situation.connection.platform}" here.`;
  return { ...buildTarget(situation, null), kind: 'refuse', code: 'platform_unsupported', reason, unsettled };
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

function rest(why: string): Rest {
  return { kind: 'rest', outcome: 'nothing', why, write: null, staysDue: false };
}

function skip(): Rest {
  return rest('skipped at the author’s request');
}

function hold(why: string): Rest {
  return { ...rest(why), outcome: 'held', staysDue: true };
}
