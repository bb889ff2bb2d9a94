/** Keeps Forem from running `{{ … }}` and `{% … %}` that an author wrote as text. Forem itself protects code. */
import type { Edit } from '../../article/markdown/edits.ts';
import { insertAfter, insertBefore, type Prose, RegionWalk, replaceProse } from '../format/markdown/prose.ts';

/**
 * Forem renders Markdown before it runs Liquid, so a brace counts however it is written: plain, with a backslash, or as an
 * entity.
 */
const OPENING =
  /(?:\\?\{|&(?:#0*123|#x0*7b|lcub|lbrace);)(?:\\?[{%]|&(?:#0*123|#x0*7b|lcub|lbrace|#0*37|#x0*25|percnt);)/gi;
const LONGEST_TOKEN = 500;

/** True where anything in the source may look like Liquid, code included. */
export function mayHoldLiquid(source: string): boolean {
  return source.search(OPENING) !== -1;
}

/** True where a brace stands right before the position: with one that follows, it would open a variable. */
export function followsBrace(source: string, position: number): boolean {
  return /(?:\{|&(?:#0{0,9}123|#x0{0,9}7b|lcub|lbrace);)$/i.test(source.slice(Math.max(0, position - 20), position));
}

/** Edits that make every opening token of this prose plain text. */
export function escapeLiquid(prose: Prose): Edit[] {
  const edits: Edit[] = [];
  const walk = new RegionWalk(prose.regions);
  let covered = 0;
  for (const { 0: opening, index } of prose.text.matchAll(OPENING)) {
    if (index < covered) continue;
    const region = walk.findRegion(index);
    const end = index + opening.length;
    if (region?.kind === 'url') {
      // `raw` has spaces, which would end the address.
      edits.push(replaceProse(prose, index, end, percentEncode(opening)));
    } else if (region?.kind !== 'code') {
      const limit = Math.min(end + LONGEST_TOKEN, region?.end ?? walk.findNextStart(index));
      covered = findTokenEnd(prose.text.slice(end, limit), opening, end);
      edits.push(insertBefore(prose, index, '{% raw %}'), insertAfter(prose, covered, '{% endraw %}'));
    }
  }
  return edits;
}

/**
 * Forem finds code by pairs of backticks, wherever they are. A single one in prose would pair with one of real code, so it
 * is written as an entity.
 */
export function escapeLoneBackticks(prose: Prose): Edit[] {
  if (prose.block.kind === 'html' || prose.block.kind === 'indented') return [];
  const walk = new RegionWalk(prose.regions);
  return [...prose.text.matchAll(/\\?`/g)].flatMap(({ 0: mark, index }) => {
    const isFree = walk.findRegion(index) === null && walk.findRegion(index + mark.length - 1) === null;
    return isFree ? [replaceProse(prose, index, index + mark.length, '&#96;')] : [];
  });
}

/**
 * Where the token ends: after its closing braces, if they come soon and with nothing between that `raw` could not hold;
 * else right after the opening ones, which is enough to make them text. `rest` begins at `from`.
 */
function findTokenEnd(rest: string, opening: string, from: number): number {
  const close = /%|#0*37;|#x0*25;|percnt;/i.test(opening) ? '%}' : '}}';
  const length = rest.indexOf(close);
  if (length !== -1 && !/\{[{%]|endraw/.test(rest.slice(0, length))) return from + length + close.length;
  // Forem would read a brace right after `endraw` as part of the tag.
  return from + (/^\}*/.exec(rest)?.[0].length ?? 0);
}

function percentEncode(opening: string): string {
  return opening.replace(/\\/g, '').replace(/[{%]/g, (character) => (character === '{' ? '%7B' : '%25'));
}
