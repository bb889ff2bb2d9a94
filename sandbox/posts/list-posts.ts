/** Builds `GET /posts`: all posts in the sandbox, of any author. */

import type { SandboxState, StoredPost } from '../state.ts';
import { findCanonical, toPlainTitle } from '../wordpress/post-views.ts';
import { readOwner } from './owners.ts';
import type { PostsByPlatform, SandboxPlatform } from './posts.ts';

interface ListedPost {
  platform: SandboxPlatform;
  /** As in the log. */
  account: string;
  remoteId: string;
  title: string;
  canonicalUrl: string | null;
  /**
   * `published`, `draft`, or the platform's own state in between: `delisted`, `unlisted`, `trash` …
   */
  status: string;
  byHand: boolean;
  /** When it was created or last changed. */
  changedAt: string;
}

/** Oldest first. Permanently deleted posts are not listed. */
export function listSandboxPosts(state: SandboxState): ListedPost[] {
  return state.listPosts().flatMap((stored) => {
    const { platform, post, byHand, changedAt } = stored;
    const description = describePost(stored);
    if (description === null) return [];
    return { platform, account: readOwner(platform, post), remoteId: post.id, ...description, byHand, changedAt };
  });
}

type Description = Pick<ListedPost, 'title' | 'canonicalUrl' | 'status'>;

/** Null for a record that is not a post, and for a deleted post. */
function describePost({ post }: StoredPost): Description | null {
  if ('kind' in post) return describeSitePost(post);
  if ('isDeleted' in post) return post.isDeleted ? null : describe(post.title, post.source, 'published');
  if ('isDelisted' in post) return describe(post.title, post.canonicalUrl, post.isDelisted ? 'delisted' : 'published');
  if ('published' in post) return describe(post.title, post.canonicalUrl, post.published ? 'published' : 'draft');
  return describe(post.title, post.canonicalUrl, post.publishStatus === 'public' ? 'published' : post.publishStatus);
}

function describeSitePost(post: PostsByPlatform['cms_site']): Description | null {
  switch (post.kind) {
    case 'ghostPost':
      return post.isDeleted ? null : describe(post.title, post.canonicalUrl, post.status);
    case 'wordpressPost': {
      const status = post.status === 'publish' ? 'published' : post.status;
      return describe(toPlainTitle(post.title), findCanonical(post.content), status);
    }
    case 'wordpressTag':
    case 'wordpressMedia':
      return null;
  }
}

function describe(title: string, canonicalUrl: string | null, status: string): Description {
  return { title, canonicalUrl, status };
}
