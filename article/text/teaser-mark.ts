/** Recognises the mark that ends a teaser: `<!--more-->` (Hugo, Hexo, WordPress) and others. */

/** `truncate` (Docusaurus), `excerpt` (Gridsome, Eleventy), `end` (Gatsby), in MDX in braces. */
const NAMES =
  'more|read[ -]?more|truncate|excerpt|excerpt[ -]end|end(?:[ -]of)?[ -]?(?:excerpt|summary|teaser)?|cut|snip|fold';
const COMMENT = new RegExp(`^\\s*<!--+\\s*(?:${NAMES})\\b[^<>]{0,80}--+>\\s*$`, 'i');
const EXPRESSION = new RegExp(`^\\s*/\\*+\\s*(?:${NAMES})\\s*\\*+/\\s*$`, 'i');

export const TEASER_MARK = '<!--more-->';

export function isTeaserMark(html: string): boolean {
  return html.length < 200 && COMMENT.test(html);
}

/** `code` is an MDX expression without its braces. */
export function isTeaserExpression(code: string): boolean {
  return code.length < 200 && EXPRESSION.test(code);
}
