/** The state of a delivery as operators find it in Temporal (`CourantOutcome`). Pure. */
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

/** While an effect is carried out. `waiting`: for the account's rate budget, or for an earlier request to settle. */
export function nameEffect(effect: Effect): DeliveryOutcome {
  if (effect.kind === 'end') return effect.outcome;
  if (effect.kind === 'pause') return 'retrying';
  if (effect.kind !== 'replan' || effect.afterMs === 0) return 'sending';
  return effect.forSlot ? 'waiting' : 'retrying';
}

/** Where nothing is to be sent. */
export function nameRest({ outcome, write }: Rest, { article, delivery }: Situation): DeliveryOutcome {
  if (outcome !== 'nothing') return outcome;
  if (delivery.skippedDispatch >= article.dispatch) return 'skipped';
  if (write === 'unchangeable') return 'outdated';
  const isHandled = delivery.handledDispatch >= article.dispatch;
  if (delivery.inFlight?.action === 'create' && delivery.inFlight.askedDispatch !== null) return 'unknown';
  const { presence, failedWith, withdrawRequested } = delivery;
  if (failedWith !== null && failedWith !== 'cannot_update' && (isHandled || failedWith === 'cannot_withdraw')) {
    return 'failed';
  }
  if (withdrawRequested || presence === 'hidden' || presence === 'deleted') return 'withdrawn';
  if (presence === 'live') return delivery.contentHash === article.hash ? 'delivered' : 'outdated';
  return article.status === 'PUBLISHED' ? 'skipped' : 'pending';
}
