/**
 * Marks the file names of listings in an article's HTML, for the style of a page. A name is a paragraph of code before its listing, since other
 * places, and destinations, know no other way to show it: so it is marked where the page is made, and not in what is kept and sent.
 */

/** `body` is as `deriveArticle` writes it. */
export function markFileNames(body: string): string {
  return body.replaceAll(/<p>(?=<code>[^<]{1,200}<\/code><\/p>\n<pre)/g, '<p class="code-name">');
}
