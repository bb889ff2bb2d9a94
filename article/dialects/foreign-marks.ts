/** What only the tool that an article was written for understands, for the page and for the destinations alike. */
import { findLeftovers } from './leftovers.ts';
import { findShortcodes } from './shortcodes.ts';
import type { Piece } from './spans.ts';
import { findTemplateTags } from './template-tags.ts';
import { findWikiLinks } from './wiki-links.ts';

/** They may overlap and stand in code: `dropOverlaps` and the caller sort that out. */
export function findForeignMarks(text: string): Piece[] {
  return [...findShortcodes(text), ...findTemplateTags(text), ...findWikiLinks(text), ...findLeftovers(text)];
}
