/** What is read of the articles that Forem shows. */
import { readField } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { RemotePost } from '../types.ts';

export function readPost(json: unknown): RemotePost | undefined {
  return readRemotePost(readField(json, 'id'), readField(json, 'url'), readChange(json)) ?? undefined;
}

/**
 * When the article was last edited. One that never was has been as it is since it was published. Lists of one's own
 * articles do not tell (no `edited_at` at all), and then neither does this.
 */
export function readChange(json: unknown): string | null {
  const editedAt = readField(json, 'edited_at');
  return editedAt === undefined ? null : readTime(editedAt, readField(json, 'published_at'));
}
