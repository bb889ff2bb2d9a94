/** Links of wikis and of Obsidian: `[[Page]]`, `[[page|words]]`, `[[Page#Part]]`, `![[image.png]]`. They are shown as their words. */
import type { PhrasingContent } from 'mdast';
import type { Loss, Piece } from './spans.ts';

/** A number is a citation, and a link that follows makes a text in brackets of it. In a table the bar is escaped. A backtick may begin code. */
const WIKI_LINK = /(?<!\\)(!?)\[\[(?!\s|\d+\]\])([^[\]\n|\\`]{1,300})(?:\\?\|([^[\]\n`]{1,300}))?\]\](?!\(|\[(?!\[))/g;
/** Where VuePress and markdown-it show the contents of a page. */
const CONTENTS = /^_?toc_?$/i;

const WIKI_LINK_AS_TEXT: Loss = {
  code: 'wiki_link_as_text',
  message:
    'A wiki link ([[…]]) leads nowhere outside of its vault; its words are kept. Write [text](address) for a link.',
};

export function findWikiLinks(text: string): Piece[] {
  if (!text.includes('[[')) return [];
  const pieces: Piece[] = [];
  const labels = listLabels(text);
  for (const { 0: link, 1: embed, 2: page = '', 3: words, index } of text.matchAll(WIKI_LINK)) {
    if (CONTENTS.test(page) || labels.has(page.toLowerCase())) continue;
    const node: PhrasingContent =
      embed === '!' ? { type: 'inlineCode', value: page } : { type: 'text', value: (words ?? showPage(page)).trim() };
    pieces.push({ start: index, end: index + link.length, node, loss: WIKI_LINK_AS_TEXT });
  }
  return pieces;
}

/** As Obsidian shows it: `Page#Part` is "Page > Part", and ids of blocks are not shown. */
function showPage(page: string): string {
  const named = page.replace(/#?\^[\w-]*$/, '').replace(/^#+/, '');
  return named === '' ? page : named.replace(/#+/g, ' > ');
}

/** With a definition of its own, such a link is one of CommonMark, between brackets. */
function listLabels(text: string): Set<string> {
  return new Set([...text.matchAll(/\n\[([^[\]\n]{1,300})\]:/g)].map(([, label = '']) => label.toLowerCase()));
}
