/** Where readers take part: the forms of an article, of an author and of a comment, and the pages behind them. */

export function buildArticlePath(slug: string, anchor = ''): string {
  return `/${encodeURIComponent(slug)}${anchor}`;
}

export function buildCommentsPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/comments`;
}

/** The page of comments on which one is, wherever that begins. */
export function buildCommentPath(slug: string, commentId: string): string {
  return `${buildCommentsPath(slug)}?at=${commentId}#comment-${commentId}`;
}

export function buildReactionsPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/reactions`;
}

/** What the one who asks did with an article. */
export function buildArticleViewerPath(slug: string): string {
  return `/articles/${encodeURIComponent(slug)}/viewer`;
}

export function buildAuthorPath(username: string, act?: 'follow' | 'unfollow' | 'subscribe' | 'viewer'): string {
  const name = encodeURIComponent(username);
  // Not below `/authors`: programs that look for walls take a form that posts to `/auth…` for one.
  return act === undefined ? `/authors/${name}` : `/people/${name}/${act}`;
}
