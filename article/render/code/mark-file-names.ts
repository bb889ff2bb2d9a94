/**
 * Marks the file names of listings in an article's HTML, for the style of a page. A name is a
 * paragraph of code before its listing, because destinations have no other form. So only the page
 * is marked, not stored text.
 */

/** `body` is HTML of `deriveArticle`. */
export function markFileNames(body: string): string {
  return body.replaceAll(/<p>(?=<code>[^<]{1,200}<\/code><\/p>\n<pre)/g, '<p class="code-name">');
}
