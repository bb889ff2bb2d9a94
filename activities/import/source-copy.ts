/**
 * Matches a post at the source to the author's connected account, so that it can be adopted as a
 * copy. Compares account ids, because names prove nothing.
 */
import type { ImportAddress } from '../../article/import/import-address.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import { readRemotePost } from '../../destinations/posts/remote-post.ts';
import type { Platform } from '../../destinations/types.ts';
import { findOpenConnection } from '../../store/connections/credentials.ts';
import type { SourceCopy } from '../../store/imports/adopt-copy.ts';
import type { ImportRow } from '../../store/imports/progress.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ActivityDeps } from '../deps.ts';

/** `account`: from the source. Null if it is unknown or the post's URL is invalid. */
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
 * Medium's feed has only the user's name. If a probe of the author's connection returns the same
 * name now, the feed belongs to that account.
 */
export async function findFeedAccount(
  deps: ActivityDeps,
  { userId, source, place }: ImportRow,
): Promise<string | null> {
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

function isCalled(name: string, place: ImportAddress): boolean {
  return place.name !== '' && name.toLowerCase() === `@${place.name.toLowerCase()}`;
}
