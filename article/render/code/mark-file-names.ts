/**
 * Marks the file names of listings in an article's HTML, so that a page can style them. In the
 * stored HTML a name is a paragraph of code before its listing, the only form that destinations
 * support.
 */

/** `body` is HTML of `deriveArticle`. */
export function markFileNames(body: string): string {
  return body.replaceAll(/<p>(?=<code>[^<]{1,200}<\/code><\/p>\n<pre)/g, '<p class="code-name">');
}
