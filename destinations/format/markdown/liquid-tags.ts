/**
 * Finds Liquid tags in the prose of a body: `{% youtube dQw4w9WgXcQ %}`. In code, in raw HTML and
 * after a backslash they are text.
 */
import type { Block, Span } from './block-types.ts';
import { type Prose, readProse } from './prose.ts';

export interface LiquidTag extends Span {
  /** In lower case. */
  name: string;
  value: string;
}

const TAG =
  /(?<![\\{])\{%-?[ \t]{0,9}([a-z_]{1,40})(?:[ \t]{1,9}((?:(?!%\}|\{[{%])[^\n]){0,500}?))?[ \t]{0,9}-?%\}(?!\})/gi;

/** In order, by positions in the source. */
export function findLiquidTags(source: string, blocks: readonly Block[]): LiquidTag[] {
  if (!source.includes('{%')) return [];
  return [...readProse(source, blocks)].flatMap(findInProse);
}

function findInProse(prose: Prose): LiquidTag[] {
  const { text, block, regions, toSource } = prose;
  if (block.kind === 'html' || block.kind === 'indented' || !text.includes('{%')) return [];
  let at = 0;
  return [...text.matchAll(TAG)].flatMap(({ 0: tag, 1: name = '', 2: value = '', index }) => {
    const end = index + tag.length;
    while ((regions[at]?.end ?? Number.POSITIVE_INFINITY) <= index) at += 1;
    // A tag may contain the address that it embeds.
    for (let inside = at; (regions[inside]?.start ?? Number.POSITIVE_INFINITY) < end; inside += 1) {
      const region = regions[inside];
      if (region === undefined || region.kind !== 'url' || region.start < index || region.end > end) return [];
    }
    return [{ start: toSource(index), end: toSource(end - 1) + 1, name: name.toLowerCase(), value: value.trim() }];
  });
}
