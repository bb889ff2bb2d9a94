/** What is read of the articles that Forem shows. */

import { readTime } from '../drift.ts';
import { field } from '../http/json-fields.ts';
import { readRemotePost } from '../remote-post.ts';
import type { RemotePost } from '../types.ts';

export function readPost(json: unknown): RemotePost | null {
  return readRemotePost(field(json, 'id'), field(json, 'url'), readChange(json));
}

/**
 * When the article was last edited. One that never was has been as it is since it was published. Lists of one's own
 * articles do not tell (no `edited_at` at all), and then neither does this.
 */
export function readChange(json: unknown): string | null {
  const editedAt = field(json, 'edited_at');
  return editedAt === undefined ? null : readTime(editedAt, field(json, 'published_at'));
}

export function canonicalOf(entry: unknown): string | null {
  const canonical = field(entry, 'canonical_url');
  return typeof canonical === 'string' ? canonical : null;
}
