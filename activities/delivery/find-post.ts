/** Looks for an article's post at its account, past those that belong to other articles. */
import type { DestinationClient, LookUp, Outcome, RemotePost } from '../../destinations/types.ts';
import type { Database } from '../../store/db/database.ts';
import { listOtherPosts, listRestoredAddresses } from '../../store/deliveries/post-owner.ts';

interface Asked {
  lookUp: LookUp;
  accountId: string;
  articleId: string;
  /** This site's address. */
  baseUrl: string;
}

export async function findPost(
  db: Database,
  client: DestinationClient<unknown>,
  { lookUp, baseUrl, ...asked }: Asked,
): Promise<Outcome<RemotePost | null>> {
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
