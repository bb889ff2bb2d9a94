/**
 * The calls to destinations, never repeated by Temporal. What comes back holds ids, addresses and a sentence; no body, no
 * secret.
 */
import type { RemotePost } from '../../destinations/types.ts';
import { isRemotePostTaken } from '../../store/deliveries/attempts.ts';
import { type DeliveryKey, planDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { type Changed, refused, withClient } from './client.ts';
import { send, type Trouble } from './send.ts';

export type LookUpOutcome = { kind: 'done'; value: RemotePost | null } | Changed | Trouble;

export function outsideActivities(deps: ActivityDeps) {
  return {
    /** Creates, updates or withdraws, if that is still what is due. Marks the row first: see `beginAttempt`. */
    sendDelivery: (input: DeliveryKey & { expected: string }) => withHeartbeat(() => send(deps, input)),
    /**
     * Looks for the post that an attempt may have made; `value: null` means that the destination does not list it now, or
     * that it belongs to another article of this author.
     */
    lookUpDelivery: (input: DeliveryKey) => withHeartbeat(() => lookUp(deps, input)),
    /** Is the credential good by now? */
    probeConnection: (input: DeliveryKey) => withHeartbeat(() => probe(deps, input)),
  };
}

async function lookUp(deps: ActivityDeps, input: DeliveryKey): Promise<LookUpOutcome> {
  const plan = await planDelivery(deps.db, input, deps.baseUrl);
  if (!plan) return refused('article_gone', 'The article was deleted.');
  return withClient(deps, plan, async (client): Promise<LookUpOutcome> => {
    const found = await client.find(plan.lookUp);
    if (found.kind !== 'done' || found.value === null) return found;
    const { authorId, deliveryId: exceptDeliveryId } = plan;
    const post = { authorId, destination: input.destination, remoteId: found.value.remoteId, exceptDeliveryId };
    return (await isRemotePostTaken(deps.db, post)) ? { kind: 'done', value: null } : found;
  });
}

async function probe(deps: ActivityDeps, input: DeliveryKey): Promise<{ kind: string }> {
  const plan = await planDelivery(deps.db, input, deps.baseUrl);
  if (!plan) return { kind: 'rejected' };
  const outcome = await withClient(deps, plan, (client) => client.probe());
  return { kind: outcome.kind };
}
