/**
 * Backslashes before marks that are looked for in the tree, where a backslash is forgotten: codes of emoji (`\:tada:`), alerts
 * (`\[!NOTE]`), embeds of Hashnode (`%\[https://…]`) and of Liquid (`\{% youtube … %}`). Such a sign stands in the tree apart from the rest of its
 * mark, which is text without it.
 */
import type { PhrasingContent } from 'mdast';
import { ESCAPE_MASK, isEscaped, type Piece } from './spans.ts';

const ESCAPE = /\\(?::(?=[a-z0-9_+-]{1,40}:)|(?<=%\\)\[|\[(?=![a-z]{3,20}[\]|])|\{(?=%))/gi;

export function findEscapes(text: string): Piece[] {
  return [...text.matchAll(ESCAPE)].flatMap(({ 0: mark, index }): Piece[] => {
    if (isEscaped(text, index)) return [];
    return [{ start: index, end: index + mark.length, node: buildSign(mark.charAt(1)), mask: ESCAPE_MASK }];
  });
}

/** Tags of Liquid are looked for once neighbouring texts are one, so a brace is an element. */
function buildSign(value: string): PhrasingContent {
  const text: PhrasingContent = { type: 'text', value };
  return value === '{' ? { type: 'emphasis', children: [text], data: { hName: 'span' } } : text;
}
