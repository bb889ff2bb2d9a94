/** Reads the articles in Forem's answers. */
import { readField } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { RemotePost } from '../types.ts';

export function readPost(json: unknown): RemotePost | undefined {
  return readRemotePost(readField(json, 'id'), readField(json, 'url'), readChange(json)) ?? undefined;
}

/**
 * When the article was last edited, or published where it never was. Null for entries of one's own lists, which have no
 * `edited_at`.
 */
export function readChange(json: unknown): string | null {
  const editedAt = readField(json, 'edited_at');
  return editedAt === undefined ? null : readTime(editedAt, readField(json, 'published_at'));
}
