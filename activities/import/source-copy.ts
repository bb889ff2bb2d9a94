/** Whether a post at the source is one of the account that its author has connected. Names prove nothing: accounts are compared by their ids. */
import type { Place } from '../../article/import/place.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import { readRemotePost } from '../../destinations/posts/remote-post.ts';
import type { Platform } from '../../destinations/types.ts';
import { findOpenConnection } from '../../store/connections/credentials.ts';
import type { SourceCopy } from '../../store/imports/adopt-copy.ts';
import type { ImportRow } from '../../store/imports/progress.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ActivityDeps } from '../deps.ts';

/** Null where its account is not known, or its address is none. `account` is what the source says of it. */
export function findSourceCopy(
  { source }: Pick<ImportRow, 'source'>,
  post: SourcePost,
  account: string | null,
): SourceCopy | null {
  const remote = readRemotePost(post.remoteId, post.url, post.updatedAt);
  if (source === 'rss' || account === null || remote === null) return null;
  return { destination: source, identity: account, ...remote };
}

/**
 * Medium's feed says only what its user is called. Where the author's own connection answers, now, to the same name, the feed is that account's.
 */
export async function askWhose(deps: ActivityDeps, { userId, source, place }: ImportRow): Promise<string | null> {
  if (source !== 'blogsite_c') return null;
  const connection = await findOpenConnection(deps.db, deps.sealer, userId, source).catch((error: unknown) => {
    if (error instanceof SealError) return null;
    throw error;
  });
  const adapter = connection && deps.findDestination(connection.platform as Platform);
  if (!adapter) return null;
  const { httpTimeoutMs: timeoutMs, now, allowPrivate } = deps;
  const probed = await adapter.createClient({ connection, timeoutMs, now, allowPrivate }).probe();
  return probed.kind === 'done' && isCalled(probed.value.name, place) ? probed.value.account : null;
}

function isCalled(name: string, place: Place): boolean {
  return place.name !== '' && name.toLowerCase() === `@${place.name.toLowerCase()}`;
}
