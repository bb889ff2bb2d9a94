/** Finds the end of the teaser that an author marked with `<!--more-->`. */
import type { Root } from 'mdast';
import { isTeaserMark } from '../../text/teaser-mark.ts';
import type { Section } from '../outline.ts';

/** The offset of the mark in the source, or null. */
export function findTeaserEnd(tree: Root): number | null {
  const mark = tree.children.find((node) => node.type === 'html' && isTeaserMark(node.value));
  return mark?.position?.start.offset ?? null;
}

/** The sections above the mark; empty if there is no text above it. */
export function selectTeaser(sections: Section[], end: number): Section[] {
  const isAbove = (offset: number | null): boolean => offset !== null && offset <= end;
  const teaser = sections.map((section) => ({
    ...section,
    blocks: section.blocks.filter((block) => isAbove(block.end)),
  }));
  return teaser.filter(({ blocks }) => blocks.length > 0);
}
