/** Shows wiki links as words: `[[Page]]`, `[[page|words]]`, `[[Page#Part]]`, `![[image.png]]`. */
import type { PhrasingContent } from 'mdast';
import type { Piece } from '../spans.ts';

/** A number is a citation, brackets before a link are text. Tables escape the bar. */
const WIKI_LINK = /(?<!\\)(!?)\[\[(?!\s|\d+\]\])([^[\]\n|\\`]{1,300})(?:\\?\|([^[\]\n`]{1,300}))?\]\](?!\(|\[(?!\[))/g;
/** The contents marker of VuePress and markdown-it. */
const CONTENTS = /^_?toc_?$/i;

export function findWikiLinks(text: string): Piece[] {
  if (!text.includes('[[')) return [];
  const pieces: Piece[] = [];
  const labels = listLabels(text);
  for (const { 0: link, 1: embed, 2: page = '', 3: words, index } of text.matchAll(WIKI_LINK)) {
    if (CONTENTS.test(page) || labels.has(page.toLowerCase())) continue;
    const node: PhrasingContent =
      embed === '!' ? { type: 'inlineCode', value: page } : { type: 'text', value: (words ?? showPage(page)).trim() };
    pieces.push({ start: index, end: index + link.length, node, loss: 'wiki_link_as_text' });
  }
  return pieces;
}

/** As Obsidian shows it: `Page#Part` is "Page > Part", and block ids are hidden. */
function showPage(page: string): string {
  const named = page.replace(/#?\^[\w-]*$/, '').replace(/^#+/, '');
  return named === '' ? page : named.replace(/#+/g, ' > ');
}

/** Labels with a definition. A wiki link to one is a reference of CommonMark between brackets. */
function listLabels(text: string): Set<string> {
  return new Set([...text.matchAll(/\n\[([^[\]\n]{1,300})\]:/g)].map(([, label = '']) => label.toLowerCase()));
}
