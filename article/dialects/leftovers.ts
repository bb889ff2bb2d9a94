/** Finds marks that only one tool reads: comments, widgets, attributes, block ids, contents. */
import { buildPiece, type Piece } from './spans.ts';

/** Obsidian. */
const COMMENT = /(?<=^|\s)%%(?!%)(?:(?!%%)[\s\S]){0,4000}%%(?=\s|$)/g;
/** Obsidian; at the end of a block or of a list item. */
const BLOCK_ID = /(?<=[^\s\\])[ \t]\^[A-Za-z\d-]{4,40}(?=[ \t]*(?:\n[ \t>]*(?:\n|$|[-*+][ \t]|\d{1,9}[.)][ \t])|$))/g;
const MARKED = /(?<![\\\w=])(==)(?![\s=])((?:(?!==)[^\n]){0,300}?[^\\\s=])(==)(?![\w=])/g;
/** Hashnode. */
const WIDGET = /(?<=^|\n)%%\[[\w -]{1,100}\](?=\s*(?:\n|$))/g;
/** kramdown: on its own line, or after a link, image, code or emphasis. Pandoc omits the colon. */
const ATTRIBUTE_LINE = /(?<=(?:^|\n)[ \t]{0,3})\{:[^{}\n]{0,300}\}(?=[ \t]*(?:\n|$))/g;
const ATTRIBUTES =
  /(?<=[)\]*_`>])\{:[^{}\n]{1,300}\}|(?<=\))\{[ \t]{0,2}(?:[.#][\w-]+|[a-z-]+=(?:"[^"{}\n]*"|[\w%.-]+))(?:[ \t]+(?:[.#][\w-]+|[a-z-]+=(?:"[^"{}\n]*"|[\w%.-]+))){0,10}[ \t]*\}/g;
const CONTENTS =
  /(?<=(?:^|\n)[ \t]{0,3})(?:\[\[?_?TOC_?\]\]?|[*+-][ \t]+[^\n]{1,60}\n[ \t]{0,3}\{:[ \t]*toc\b[^{}\n]{0,100}\})(?=[ \t]*(?:\n|$))/gi;

/** MkDocs; its text is indented below it. */
const ADMONITION = /(?<=^|\n)[ \t]{0,3}(?:!!!|\?\?\?\+?)[ \t]+[a-z][\w-]{0,40}(?=[ \t"\n]|$)/g;

export function findLeftovers(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (pattern: RegExp, rest: Omit<Piece, 'start' | 'end'>): void => {
    for (const match of text.matchAll(pattern)) pieces.push(buildPiece(text, match, rest));
  };
  if (text.includes('%%')) {
    add(WIDGET, { loss: 'shortcode_removed' });
    add(COMMENT, { loss: 'comment_removed' });
  }
  if (text.includes('!!!') || text.includes('???')) {
    for (const { 0: value, index } of text.matchAll(ADMONITION))
      pieces.push({
        start: index,
        end: index + value.length,
        node: { type: 'text', value },
        loss: 'admonition_as_text',
      });
  }
  if (/\btoc\b|_toc_/i.test(text)) add(CONTENTS, { loss: 'contents_removed' });
  if (text.includes('{')) {
    add(ATTRIBUTE_LINE, { loss: 'attributes_removed' });
    add(ATTRIBUTES, { loss: 'attributes_removed' });
  }
  if (text.includes(' ^') || text.includes('\t^')) add(BLOCK_ID, { loss: 'block_id_removed' });
  if (text.includes('==')) for (const match of text.matchAll(MARKED)) pieces.push(...markWords(match));
  return pieces;
}

/** Marks `==words==`. The text between the signs is Markdown. */
function markWords({ 1: open = '', 2: words = '', 3: close = '', index }: RegExpExecArray): Piece[] {
  const end = index + open.length + words.length;
  return [
    { start: index, end: index + open.length, node: { type: 'html', value: '<mark>' } },
    { start: end, end: end + close.length, node: { type: 'html', value: '</mark>' } },
  ];
}
