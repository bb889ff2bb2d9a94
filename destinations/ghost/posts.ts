/** Reads posts from Ghost's responses. */
import { readField, readText } from '../http/read-field.ts';
import { readRemotePost, readTime } from '../posts/remote-post.ts';
import type { RemotePost } from '../types.ts';

/** The requested fields. Without the uuid, Ghost returns an incomplete address for a draft. */
export const POST_FIELDS = 'id,uuid,slug,url,status,canonical_url,title,updated_at';

export interface GhostPost extends RemotePost {
  changedAt: string;
  status: string;
  slug: string;
  canonicalUrl: string | null;
  title: string | null;
}

/** The entries of `posts`. Undefined if one cannot be read: it may be ours. */
export function readPosts(json: unknown): GhostPost[] | undefined {
  const posts = readField(json, 'posts');
  if (!Array.isArray(posts)) return undefined;
  const read = posts.map(readPost);
  return read.every((post) => post !== null) ? read : undefined;
}

/** Whether this slug was sent for an article. Ghost adds a number if it is in use. */
export function hasSlug(post: GhostPost, sent: string): boolean {
  if (!post.slug.startsWith(sent)) return false;
  return /^(?:-\d+)?$/.test(post.slug.slice(sent.length));
}

/** Reduces a post to the fields that are stored. */
export function toRemotePost({ remoteId, url, changedAt }: GhostPost): RemotePost {
  return { remoteId, url, changedAt };
}

function readPost(json: unknown): GhostPost | null {
  const read = (name: string) => String(readField(json, name) ?? '');
  const [id, changedAt] = [read('id'), read('updated_at')];
  const post = readRemotePost(id, read('url'), changedAt);
  if (!post || !/^[0-9a-f]{24}$/i.test(id) || readTime(changedAt) === null) return null;
  return {
    ...post,
    changedAt,
    status: read('status'),
    slug: read('slug'),
    canonicalUrl: readText(json, 'canonical_url'),
    title: readText(json, 'title'),
  };
}
