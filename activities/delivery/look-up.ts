/** Read-only calls to a destination: looks up a post, or probes the credential. */
import type { LookUpOutcome } from '../../delivery/types.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withClient } from './client.ts';
import { findPost } from './find-post.ts';
import { planDelivery } from './plan.ts';
import { callInBudget } from './slots.ts';

/** `value: null`: the post is not listed now, or it belongs to another article of this author. */
export async function lookUp(
  deps: ActivityDeps,
  { attemptId, ...input }: DeliveryKey & { attemptId: string | null },
): Promise<LookUpOutcome> {
  const plan = await planDelivery(deps, input);
  if (!plan) return { kind: 'rejected', code: 'article_deleted', reason: 'The article was deleted.' };
  // Another account was connected meanwhile: a look-up there proves nothing about this attempt.
  if (plan.situation.delivery.inFlight?.id !== attemptId) return { kind: 'changed' };
  const look = () => withClient(deps, plan, ({ client }): Promise<LookUpOutcome> => findPost(deps, client, plan));
  return callInBudget(deps, plan, look);
}

export async function probe(deps: ActivityDeps, input: DeliveryKey): Promise<{ kind: string }> {
  const plan = await planDelivery(deps, input);
  if (!plan) return { kind: 'rejected' };
  const outcome = await withClient(deps, plan, ({ client }) => client.probe());
  return { kind: outcome.kind };
}
