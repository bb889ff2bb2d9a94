/** Finds the end of the teaser that an author marked with `<!--more-->`. */
import type { Root } from 'mdast';
import type { Section } from '../outline.ts';

export function findTeaserEnd(tree: Root): number | null {
  const mark = tree.children.find((node) => node.type === 'html' && isTeaserMark(node.value));
  return mark?.position?.start.offset ?? null;
}

export function selectTeaser(sections: Section[], end: number): Section[] {
  const isAbove = (offset: number | null): boolean => offset !== null && offset <= end;
  const teaser = sections.map((section) => ({
    ...section,
    blocks: section.blocks.filter((block) => isAbove(block.end)),
  }));
  return teaser.filter(({ blocks }) => blocks.length > 0);
}

/** `truncate` (Docusaurus), `excerpt` (Gridsome, Eleventy), `end` (Gatsby), in MDX in braces. */
const NAMES =
  'more|read[ -]?more|truncate|excerpt|excerpt[ -]end|end(?:[ -]of)?[ -]?(?:excerpt|summary|teaser)?|cut|snip|fold';
const COMMENT = new RegExp(`^\\s*<!--+\\s*(?:${NAMES})\\b[^<>]{0,80}--+>\\s*$`, 'i');
const EXPRESSION = new RegExp(`^\\s*/\\*+\\s*(?:${NAMES})\\s*\\*+/\\s*$`, 'i');

export const TEASER_MARK = '<!--more-->';

export function isTeaserMark(html: string): boolean {
  return html.length < 200 && COMMENT.test(html);
}

export function isTeaserExpression(code: string): boolean {
  return code.length < 200 && EXPRESSION.test(code);
}
