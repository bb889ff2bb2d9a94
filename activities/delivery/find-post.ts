/** Looks for an article's post at its account, past those that belong to other articles. */
import type { DestinationClient, LookUp, Outcome, RemotePost } from '../../destinations/types.ts';
import type { Database } from '../../store/db/database.ts';
import { listOtherPosts } from '../../store/deliveries/post-owner.ts';

export async function findPost(
  db: Database,
  client: DestinationClient<unknown>,
  { lookUp, accountId, articleId }: { lookUp: LookUp; accountId: string; articleId: string },
): Promise<Outcome<RemotePost | null>> {
  const except = await listOtherPosts(db, { accountId, articleId });
  const found = await client.find({ ...lookUp, except });
  // A platform that is asked for one post, not for a list, answers with what it has.
  if (found.kind !== 'done' || found.value === null || !except.has(found.value.remoteId)) return found;
  return { kind: 'done', value: null };
}
