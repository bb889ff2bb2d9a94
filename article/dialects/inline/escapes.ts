/**
 * Finds backslashes before marks that are read from the tree, which has none: `\:tada:`,
 * `\[!NOTE]`, `%\[https://…]`, `\{% … %}`. The sign becomes a node, so that the rest is text.
 */
import type { PhrasingContent } from 'mdast';
import { ESCAPE_MASK, isEscaped, type Piece } from '../spans.ts';

const ESCAPE = /\\(?::(?=[a-z0-9_+-]{1,40}:)|(?<=%\\)\[|\[(?=![a-z]{3,20}[\]|])|\{(?=%))/gi;

export function findEscapes(text: string): Piece[] {
  return [...text.matchAll(ESCAPE)].flatMap(({ 0: mark, index }): Piece[] => {
    if (isEscaped(text, index)) return [];
    return [{ start: index, end: index + mark.length, node: buildSign(mark.charAt(1)), mask: ESCAPE_MASK }];
  });
}

/** Liquid tags are read after neighbouring texts are merged, so a brace needs an element. */
function buildSign(value: string): PhrasingContent {
  const text: PhrasingContent = { type: 'text', value };
  return value === '{' ? { type: 'emphasis', children: [text], data: { hName: 'span' } } : text;
}
