/** Reads posts and publications in Hashnode's responses. */
import type { Intent } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { Outcome, RemotePost } from '../types.ts';

/** Sends one operation and returns its data. */
export type Query = (query: string, variables: Record<string, unknown>, intent?: Intent) => Promise<Outcome<unknown>>;

export function readPost(post: unknown): RemotePost | undefined {
  return readRemotePost(readField(post, 'id'), readField(post, 'url'), readLastChange(post)) ?? undefined;
}

/** When a public post last changed. Null for a delisted one: delisting is our own change. */
export function readChange(post: unknown): string | null {
  return readField(post, 'preferences', 'isDelisted') === true ? null : readLastChange(post);
}

function readLastChange(post: unknown): string | null {
  return readTime(readField(post, 'updatedAt'), readField(post, 'publishedAt'));
}

/** True if both are the same publication. Ids are hexadecimal and returned in lower case. */
export function isPublication(publication: unknown, publicationId: string): boolean {
  return readText(publication, 'id')?.toLowerCase() === publicationId.toLowerCase();
}
