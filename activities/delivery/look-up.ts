/**
 * Read-only calls to a destination: looks up an article's post, ignoring the posts of other
 * articles, or probes the credential.
 */
import type { Changed, LookUpOutcome } from '../../delivery/types.ts';
import type { DestinationClient, Outcome, RemotePost } from '../../destinations/types.ts';
import { listOtherPosts, listRestoredAddresses } from '../../store/copies/post-owner.ts';
import type { DeliveryKey, LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withClient } from './client.ts';
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

export async function findPost(
  { db, baseUrl }: Pick<ActivityDeps, 'db' | 'baseUrl'>,
  client: DestinationClient<unknown>,
  { lookUp, article, situation: { connection } }: LoadedDelivery,
): Promise<Outcome<RemotePost | null> | Changed> {
  if (!connection) return { kind: 'changed' };
  const owner = { accountId: connection.accountId, articleId: article.id };
  const query = { ...lookUp, excludedIds: await listOtherPosts(db, owner) };
  const found = await client.find(query);
  if (!isNothing(found, query.excludedIds)) return found;
  const restored = await listRestoredAddresses(db, owner, baseUrl);
  const wider = restored ? await client.find({ ...query, restored }) : found;
  return isNothing(wider, query.excludedIds) ? { kind: 'done', value: null } : wider;
}

/** A platform that returns one post instead of a list may ignore `excludedIds`. */
function isNothing(found: Outcome<RemotePost | null>, excludedIds: ReadonlySet<string>): boolean {
  return found.kind === 'done' && (found.value === null || excludedIds.has(found.value.remoteId));
}
