/** `GET /posts`: everything that stands at the stand-ins, whoever made it. */
import { readOwner } from './owners.ts';
import type { PostsByPlatform, SandboxPlatform } from './posts.ts';
import type { SandboxState, StandingPost } from './state.ts';
import { findCanonical, toPlainTitle } from './wordpress/post-views.ts';

interface ListedPost {
  platform: SandboxPlatform;
  /** As in the log. */
  account: string;
  remoteId: string;
  title: string;
  canonicalUrl: string | null;
  /** `published`, `draft`, or the platform's own word for anything between: `delisted`, `unlisted`, `trash` … */
  status: string;
  byHand: boolean;
  /** When it was made or last changed. */
  changedAt: string;
}

/** Oldest first. A post that was deleted for good is not listed. */
export function listStandingPosts(state: SandboxState): ListedPost[] {
  return state.standing().flatMap((standing) => {
    const { platform, post, byHand, changedAt } = standing;
    const shown = describePost(standing);
    if (shown === null) return [];
    return { platform, account: readOwner(platform, post), remoteId: post.id, ...shown, byHand, changedAt };
  });
}

type Shown = Pick<ListedPost, 'title' | 'canonicalUrl' | 'status'>;

/** Null for what is no post, and for a post that is gone. */
function describePost({ post }: StandingPost): Shown | null {
  if ('kind' in post) return describeSitePost(post);
  if ('isDeleted' in post) return post.isDeleted ? null : show(post.title, post.source, 'published');
  if ('isDelisted' in post) return show(post.title, post.canonicalUrl, post.isDelisted ? 'delisted' : 'published');
  if ('published' in post) return show(post.title, post.canonicalUrl, post.published ? 'published' : 'draft');
  return show(post.title, post.canonicalUrl, post.publishStatus === 'public' ? 'published' : post.publishStatus);
}

function describeSitePost(post: PostsByPlatform['cms_site']): Shown | null {
  switch (post.kind) {
    case 'ghostPost':
      return post.isDeleted ? null : show(post.title, post.canonicalUrl, post.status);
    case 'wordpressPost': {
      const status = post.status === 'publish' ? 'published' : post.status;
      return show(toPlainTitle(post.title), findCanonical(post.content), status);
    }
    default:
      return null;
  }
}

function show(title: string, canonicalUrl: string | null, status: string): Shown {
  return { title, canonicalUrl, status };
}
