/** The link of what is told of an author's own article: its page at the desk. What is shown of it live is found by this link, and by no title. */

const PATH = '/desk/articles/';

export function buildArticleLink(articleId: string): string {
  return `${PATH}${articleId}`;
}

/** Null where the link leads elsewhere. */
export function readArticleLink(link: string | null): string | null {
  return link?.startsWith(PATH) ? link.slice(PATH.length) : null;
}
