/** Names the owner of a post by one stable identifier per platform, which renames do not change. */
import type { PostsByPlatform, SandboxPlatform } from './posts.ts';

type Post = PostsByPlatform[SandboxPlatform];

/**
 * Forem: the user's name. Hashnode: the publication's id. Medium: the user's id. WordPress: site
 * and user name. Ghost: the site. LinkedIn: the URN of the person or organisation.
 */
export function readOwner<P extends SandboxPlatform>(platform: P, post: PostsByPlatform[P]): string;
export function readOwner(platform: SandboxPlatform, post: Post): string {
  switch (platform) {
    case 'blogsite_a':
      return (post as PostsByPlatform['blogsite_a']).username;
    case 'blogsite_b':
      return (post as PostsByPlatform['blogsite_b']).publicationId;
    case 'blogsite_c':
      return (post as PostsByPlatform['blogsite_c']).authorId;
    case 'cms_site':
      return readSiteOwner(post as PostsByPlatform['cms_site']);
    case 'social_feed':
      return (post as PostsByPlatform['social_feed']).author;
  }
}

/**
 * The storage key of a post. WordPress counts the ids of each site from the beginning, and those of
 * tags separately.
 */
export function buildKey(post: Post): string {
  if (!('kind' in post) || post.kind === 'ghostPost') return post.id;
  return buildSiteKey(post.site, post.kind, post.id);
}

export function buildSiteKey(site: string, kind: string, id: string): string {
  return `${site}/${kind}/${id}`;
}

function readSiteOwner(post: PostsByPlatform['cms_site']): string {
  return post.kind === 'wordpressPost' ? `${post.site}/${post.author}` : post.site;
}
