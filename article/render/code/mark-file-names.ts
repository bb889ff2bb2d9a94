/**
 * Marks the file names of listings for the page's style. In stored HTML, as destinations require,
 * they are paragraphs of code.
 */

export function markFileNames(body: string): string {
  return body.replaceAll(/<p>(?=<code>[^<]{1,200}<\/code><\/p>\n<pre)/g, '<p class="code-name">');
}
