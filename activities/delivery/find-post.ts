/** Looks up an article's post at its account, ignoring the posts of other articles. */
import type { Changed } from '../../delivery/types.ts';
import type { DestinationClient, Outcome, RemotePost } from '../../destinations/types.ts';
import { listOtherPosts, listRestoredAddresses } from '../../store/copies/post-owner.ts';
import type { LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';

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
