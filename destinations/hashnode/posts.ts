/** Reads Hashnode's answers and the posts in them. */
import type { HttpAnswer } from '../http/exchange.ts';
import { readField } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { RemotePost } from '../types.ts';

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
