/** Reads posts and the account from Hashnode's responses. */
import type { HttpResponse } from '../http/exchange.ts';
import { readField, readText } from '../http/read-field.ts';
import { readAccount, readRemoteId, readRemotePost, readTime } from '../posts/remote-post.ts';
import type { ProbedAccount, RemotePost } from '../types.ts';

export function readData({ json }: HttpResponse): unknown {
  return readField(json, 'data');
}

export function readPost(post: unknown): RemotePost | undefined {
  return readRemotePost(readField(post, 'id'), readField(post, 'url'), readLastChange(post)) ?? undefined;
}

/**
 * When a public post last changed. Null for a delisted one, because delisting is our own change.
 */
export function readChange(post: unknown): string | null {
  return readField(post, 'preferences', 'isDelisted') === true ? null : readLastChange(post);
}

function readLastChange(post: unknown): string | null {
  return readTime(readField(post, 'updatedAt'), readField(post, 'publishedAt'));
}

/**
 * One user may have several publications, and each is a separate account. Null if the response is
 * for another publication.
 */
export function readProbedAccount(data: unknown, publicationId: string): ProbedAccount | null {
  const userId = readRemoteId(readField(data, 'me', 'id'));
  const username = readAccount(readField(data, 'me', 'username'));
  if (userId === null || username === null || !isPublication(readField(data, 'publication'), publicationId))
    return null;
  const title = readAccount(readField(data, 'publication', 'title'));
  return {
    account: `${userId} ${publicationId.toLowerCase()}`,
    name: title === null ? `@${username}` : `${title} (@${username})`,
  };
}

/** True if both are the same publication. Ids are hexadecimal and returned in lower case. */
export function isPublication(publication: unknown, publicationId: string): boolean {
  return readText(publication, 'id')?.toLowerCase() === publicationId.toLowerCase();
}
