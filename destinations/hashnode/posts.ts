/** Reads Hashnode's answers: posts, and who the account is. */
import type { HttpAnswer } from '../http/exchange.ts';
import { readField, readText } from '../http/read-field.ts';
import { readAccount, readRemoteId, readRemotePost, readTime } from '../posts/remote-post.ts';
import type { ProbedAccount, RemotePost } from '../types.ts';

export function readData({ json }: HttpAnswer): unknown {
  return readField(json, 'data');
}

export function readPost(post: unknown): RemotePost | undefined {
  return readRemotePost(readField(post, 'id'), readField(post, 'url'), readLastChange(post)) ?? undefined;
}

/**
 * When a post that readers see was last changed; null for a delisted one, because delisting is a change too, and our own.
 */
export function readChange(post: unknown): string | null {
  return readField(post, 'preferences', 'isDelisted') === true ? null : readLastChange(post);
}

function readLastChange(post: unknown): string | null {
  return readTime(readField(post, 'updatedAt'), readField(post, 'publishedAt'));
}

/** One user may have several publications, and each is an account of its own. Null where it is not the publication that was asked for. */
export function readProbedAccount(data: unknown, publicationId: string): ProbedAccount | null {
  const userId = readRemoteId(readField(data, 'me', 'id'));
  const username = readAccount(readField(data, 'me', 'username'));
  if (userId === null || username === null || !isPublication(readField(data, 'publication'), publicationId))
    return null;
  const title = readAccount(readField(data, 'publication', 'title'));
  return {
    account: `${userId} ${publicationId.toLowerCase()}`,
    name: title === null ? `@${username}` : `${title} (@${username})`,
    formerAccounts: [username],
  };
}

/** True where it is this very publication. Ids are hexadecimal and given back in lower case. */
export function isPublication(publication: unknown, publicationId: string): boolean {
  return readText(publication, 'id')?.toLowerCase() === publicationId.toLowerCase();
}
