/** All marks that mean something to one writing tool only, wherever an article goes: shortcodes, wiki links, comments, attributes. */
import { findLeftovers } from './leftovers.ts';
import { findShortcodes } from './shortcodes.ts';
import { dropOverlaps, isEscaped, type Piece } from './spans.ts';
import { findLiquidComments } from './template-tags.ts';
import { findWikiLinks } from './wiki-links.ts';

/** In order, none within another. One behind a backslash is text. */
export function findToolMarks(text: string): Piece[] {
  const found = [...findShortcodes(text), ...findLiquidComments(text), ...findWikiLinks(text), ...findLeftovers(text)];
  return dropOverlaps(found.filter(({ start }) => !isEscaped(text, start)));
}
