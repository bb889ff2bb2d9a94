/** All marks that mean something to one writing tool only, wherever an article goes: shortcodes, wiki links, comments, attributes. */
import { findLeftovers } from './leftovers.ts';
import { findShortcodes } from './shortcodes.ts';
import { dropOverlaps, type Piece } from './spans.ts';
import { findLiquidComments } from './template-tags.ts';
import { findWikiLinks } from './wiki-links.ts';

/** In order, none within another. */
export function findToolMarks(text: string): Piece[] {
  return dropOverlaps([
    ...findShortcodes(text),
    ...findLiquidComments(text),
    ...findWikiLinks(text),
    ...findLeftovers(text),
  ]);
}
