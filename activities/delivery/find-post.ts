/** Looks for an article's post at its account, past those that belong to other articles. */
import type { Changed } from '../../delivery/types.ts';
import type { DestinationClient, Outcome, RemotePost } from '../../destinations/types.ts';
import { listOtherPosts, listRestoredAddresses } from '../../store/deliveries/post-owner.ts';
import type { LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';

export async function findPost(
  { db, baseUrl }: Pick<ActivityDeps, 'db' | 'baseUrl'>,
  client: DestinationClient<unknown>,
  { lookUp, article, situation: { connection } }: LoadedDelivery,
): Promise<Outcome<RemotePost | null> | Changed> {
  if (!connection) return { kind: 'changed' };
  const asked = { accountId: connection.accountId, articleId: article.id };
  const sought = { ...lookUp, except: await listOtherPosts(db, asked) };
  const found = await client.find(sought);
  if (!isNothing(found, sought.except)) return found;
  const restored = await listRestoredAddresses(db, asked, baseUrl);
  const wider = restored ? await client.find({ ...sought, restored }) : found;
  return isNothing(wider, sought.except) ? { kind: 'done', value: null } : wider;
}

/** A platform that is asked for one post, not for a list, answers with what it has. */
function isNothing(found: Outcome<RemotePost | null>, except: ReadonlySet<string>): boolean {
  return found.kind === 'done' && (found.value === null || except.has(found.value.remoteId));
}
