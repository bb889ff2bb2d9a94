/** Builds the paths of articles, authors and comments, and of the forms for readers. */

export function buildArticlePath(slug: string, anchor = ''): string {
  return `/${encodeURIComponent(slug)}${anchor}`;
}

export function buildCommentsPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/comments`;
}

/** The page of comments that contains the given one. */
export function buildCommentPath(slug: string, commentId: string): string {
  return `${buildCommentsPath(slug)}?at=${commentId}#comment-${commentId}`;
}

export function buildReactionsPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/reactions`;
}

/** The reactions and follows of the viewer for an article. */
export function buildArticleViewerPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/viewer`;
}

export function buildAuthorPath(username: string, act?: 'follow' | 'unfollow' | 'subscribe' | 'viewer'): string {
  const name = encodeURIComponent(username);
  // Not below `/authors`: programs that detect login walls match forms that post to `/auth…`.
  return act === undefined ? `/authors/${name}` : `/people/${name}/${act}`;
}
