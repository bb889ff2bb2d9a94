/** Finds all marks that only one tool reads: shortcodes, wiki links, comments, attributes. */
import { findWikiLinks } from './inline/wiki-links.ts';
import { findLeftovers } from './leftovers.ts';
import { dropOverlaps, isEscaped, type Piece } from './spans.ts';
import { findShortcodes } from './templates/shortcodes.ts';
import { findLiquidComments } from './templates/template-tags.ts';

/** Sorted, without overlaps. A mark behind a backslash is text. */
export function findToolMarks(text: string): Piece[] {
  const found = [...findShortcodes(text), ...findLiquidComments(text), ...findWikiLinks(text), ...findLeftovers(text)];
  return dropOverlaps(found.filter(({ start }) => !isEscaped(text, start)));
}
