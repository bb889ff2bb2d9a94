/** Ghost's posts as its answers hold them. */

import { readTime } from '../drift.ts';
import { field } from '../http/json-fields.ts';
import { readRemotePost } from '../remote-post.ts';
import type { RemotePost } from '../types.ts';

/** What is asked for of a post; without its uuid, a draft's address is only half of one. */
export const POST_FIELDS = 'id,uuid,slug,url,status,canonical_url,updated_at';

export interface GhostPost extends RemotePost {
  changedAt: string;
  status: string;
  slug: string;
  canonicalUrl: string | null;
}

/** The entries of `posts`; null where the answer holds no such list, or one with an entry that is no post: it may be ours. */
export function readPosts(json: unknown): GhostPost[] | null {
  const posts = field(json, 'posts');
  if (!Array.isArray(posts)) return null;
  const read = posts.map(readPost);
  return read.every((post) => post !== null) ? read : null;
}

export function asRemote({ remoteId, url, changedAt }: GhostPost): RemotePost {
  return { remoteId, url, changedAt };
}

function readPost(json: unknown): GhostPost | null {
  const [id, url, changedAt, status, slug] = ['id', 'url', 'updated_at', 'status', 'slug'].map((name) =>
    String(field(json, name) ?? ''),
  ) as [string, string, string, string, string];
  const post = readRemotePost(id, url, changedAt);
  if (!post || !/^[0-9a-f]{24}$/i.test(id) || readTime(changedAt) === null) return null;
  const canonical = field(json, 'canonical_url');
  return { ...post, changedAt, status, slug, canonicalUrl: typeof canonical === 'string' ? canonical : null };
}
