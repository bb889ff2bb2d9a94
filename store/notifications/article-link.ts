/**
 * The link of a notification about an author's own article: its page at the desk. Live updates find
 * their article by this link, not by title.
 */

const PATH = '/desk/articles/';

export function buildArticleLink(articleId: string): string {
  return `${PATH}${articleId}`;
}

/** Null if the link leads elsewhere. */
export function readLinkedArticleId(link: string | null): string | null {
  return link?.startsWith(PATH) ? link.slice(PATH.length) : null;
}
