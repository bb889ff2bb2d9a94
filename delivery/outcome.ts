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
  if (write?.kind === 'skipped') return 'skipped';
  if (write?.kind === 'unchangeable') return 'outdated';
  const { state, withdrawRequested } = delivery;
  if ((state === 'failed' || state === 'unknown') && delivery.handledDispatch >= article.dispatch) return state;
  const hasCopy = delivery.remoteId !== null && delivery.withdrawnAt === null;
  if (hasCopy && delivery.cannotWithdraw) return 'failed';
  if (withdrawRequested || delivery.withdrawnAt !== null) return 'withdrawn';
  if (hasCopy) return delivery.deliveredHash === article.hash ? 'delivered' : 'outdated';
  return article.status === 'PUBLISHED' ? 'skipped' : 'pending';
}
