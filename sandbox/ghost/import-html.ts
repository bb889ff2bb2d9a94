/**
 * Converts HTML as Ghost's editor does: unsupported tags are removed, and the content of HTML cards
 * stays.
 */

const CARD = /<!--\s*kg-card-begin:\s?html\s*-->([\s\S]*?)<!--\s*kg-card-end:\s?html\s*-->/g;
const SUPPORTED = 'p|br|h[1-6]|strong|b|em|i|s|u|sub|sup|code|pre|a|ul|ol|li|blockquote|hr|img|figure|figcaption';
const UNSUPPORTED_TAG = new RegExp(`</?(?!(?:${SUPPORTED})[\\s>/])[a-z][^>]*>`, 'gi');

export function importHtml(html: string): string {
  let result = '';
  let end = 0;
  for (const match of html.matchAll(CARD)) {
    result += html.slice(end, match.index).replace(UNSUPPORTED_TAG, '') + match[0];
    end = match.index + match[0].length;
  }
  return result + html.slice(end).replace(UNSUPPORTED_TAG, '');
}
