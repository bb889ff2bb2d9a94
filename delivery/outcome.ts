/** Maps effects and rests to the search attribute `CourantOutcome`. Pure. */
import type { Effect, Rest, Situation } from './types.ts';

export type DeliveryOutcome =
  | 'pending'
  | 'sending'
  | 'retrying'
  | 'waiting'
  | 'held'
  | 'delivered'
  | 'outdated'
  | 'skipped'
  | 'withdrawn'
  | 'failed'
  | 'unknown';

/**
 * The outcome shown while the workflow executes an effect. `waiting`: for the account's rate
 * budget, or for an earlier request to settle.
 */
export function nameEffect(effect: Effect): DeliveryOutcome {
  if (effect.kind === 'end') return effect.outcome;
  if (effect.kind === 'pause') return 'retrying';
  if (effect.kind !== 'replan' || effect.afterMs === 0) return 'sending';
  return effect.forSlot ? 'waiting' : 'retrying';
}

/** The outcome shown when there is nothing to send. */
export function nameRest({ outcome, write }: Rest, situation: Situation): DeliveryOutcome {
  const { article, delivery } = situation;
  if (outcome !== 'nothing') return outcome;
  if (isSkipped(situation)) return 'skipped';
  if (write === 'unchangeable') return 'outdated';
  if (delivery.inFlight?.action === 'create') return 'unknown';
  const { presence, failedWith, withdrawRequested } = delivery;
  if (
    failedWith !== null &&
    failedWith !== 'cannot_update' &&
    (isHandled(situation) || failedWith === 'cannot_withdraw')
  ) {
    return 'failed';
  }
  if (withdrawRequested || presence === 'hidden' || presence === 'deleted') return 'withdrawn';
  if (presence === 'live') return delivery.contentHash === article.hash ? 'delivered' : 'outdated';
  return article.status === 'PUBLISHED' ? 'skipped' : 'pending';
}

/**
 * Whether this dispatch already has an outcome. It holds until the author publishes again; a
 * repeated signal or another account does not reset it.
 */
export function isHandled({ article, delivery }: Situation): boolean {
  return delivery.handledDispatch >= article.dispatch;
}

export function isSkipped({ article, delivery }: Situation): boolean {
  return delivery.skippedDispatch >= article.dispatch;
}
