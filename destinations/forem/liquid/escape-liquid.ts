/** Escapes `{{ … }}` and `{% … %}` in text, so that Forem does not run them. */
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Formula } from '../../format/markdown/marks.ts';
import { insertAfter, insertBefore, type Prose, RegionCursor, replaceProse } from '../../format/markdown/prose.ts';

/** Liquid runs after Markdown: a brace counts plain, escaped and as an entity. */
const OPENING =
  /(?:\\?\{|&(?:#0*123|#x0*7b|lcub|lbrace);)(?:\\?[{%]|&(?:#0*123|#x0*7b|lcub|lbrace|#0*37|#x0*25|percnt);)/gi;
const MAX_TOKEN_CHARACTERS = 500;

/** True if anything in the source may look like Liquid, code included. */
export function mayContainLiquid(source: string): boolean {
  return source.search(OPENING) !== -1;
}

/** True if a brace ends right before the position: a following brace would open a variable. */
export function followsBrace(source: string, position: number): boolean {
  return /(?:\{|&(?:#0{0,9}123|#x0{0,9}7b|lcub|lbrace);)$/i.test(source.slice(Math.max(0, position - 20), position));
}

/** Returns edits that turn every opening token of this prose into plain text. */
export function escapeLiquid(prose: Prose): TextEdit[] {
  const edits: TextEdit[] = [];
  const walk = new RegionCursor(prose.regions);
  let covered = 0;
  for (const { 0: opening, index } of prose.text.matchAll(OPENING)) {
    if (index < covered) continue;
    const region = walk.findRegion(index);
    const end = index + opening.length;
    if (region?.kind === 'url') {
      // `{% raw %}` contains spaces, which would end the address.
      edits.push(replaceProse(prose, index, end, percentEncode(opening)));
    } else if (region?.kind !== 'code') {
      const limit = Math.min(end + MAX_TOKEN_CHARACTERS, region?.end ?? walk.findNextStart(index));
      covered = findTokenEnd(prose.text.slice(end, limit), opening, end);
      edits.push(insertBefore(prose, index, '{% raw %}'), insertAfter(prose, covered, '{% endraw %}'));
    }
  }
  return edits;
}

/** Forem would pair a single backtick with one of real code, so it becomes an entity. */
export function escapeLoneBackticks(prose: Prose): TextEdit[] {
  if (prose.block.kind === 'html' || prose.block.kind === 'indented') return [];
  const walk = new RegionCursor(prose.regions);
  return [...prose.text.matchAll(/\\?`/g)].flatMap(({ 0: mark, index }) => {
    const isFree = walk.findRegion(index) === null && walk.findRegion(index + mark.length - 1) === null;
    return isFree ? [replaceProse(prose, index, index + mark.length, '&#96;')] : [];
  });
}

/**
 * Finds the token's end: after its closing braces, if they come soon and `raw` can hold the text
 * between. Else right after the opening braces, which suffices to make them text. `rest` begins at
 * `from`.
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

/** Liquid runs after Markdown: signs of Markdown become entities, and characters again. */
const MARKDOWN_SIGNS = /[\\`*_~<>&[\]|:"!\r\n]/g;

export function writeKatex(source: string, { start, end, tex, isDisplay }: Formula): TextEdit {
  // A blank after a brace means nothing in a formula and breaks Liquid's opening sign. The end of
  // the formula counts too, because `{% endkatex %}` begins with a brace.
  const spaced = tex.replace(/\{(?=[{%]|$)/g, '{ ');
  const encoded = spaced.replace(MARKDOWN_SIGNS, (sign) => `&#${sign.charCodeAt(0)};`);
  // An invisible word joiner separates two braces.
  const before = followsBrace(source, start) ? '\u2060' : '';
  return { start, end, text: `${before}{% katex${isDisplay ? '' : ' inline'} %}${encoded}{% endkatex %}` };
}
