/** What is read of the posts that Hashnode shows. */

import { readTime } from '../drift.ts';
import { isObject } from '../http/json-fields.ts';
import { readRemotePost } from '../remote-post.ts';
import type { RemotePost } from '../types.ts';

export type Json = Record<string, unknown>;

export function readPost(post: unknown): RemotePost | null {
  return readRemotePost(at(post, 'id'), at(post, 'url'), readTime(at(post, 'updatedAt'), at(post, 'publishedAt')));
}

/**
 * When a post that readers see was last changed, as far as that says anything: taking it out of the lists is a change as
 * well, and our own.
 */
export function readChange(post: unknown): string | null {
  if (at(post, 'preferences', 'isDelisted') === true) return null;
  return readTime(at(post, 'updatedAt'), at(post, 'publishedAt'));
}

export function canonicalOf(post: unknown): string | null {
  const canonical = at(post, 'canonicalUrl');
  return typeof canonical === 'string' ? canonical : null;
}

/** What stands at the end of a path of names; undefined for null and for what is not there. */
export function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current ?? undefined;
}
