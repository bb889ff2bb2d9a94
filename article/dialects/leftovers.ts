/** Finds marks that only one tool reads: comments, widgets, attributes, block ids, contents. */
import type { Loss, Piece } from './spans.ts';
import { buildPiece } from './spans.ts';

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

const ADMONITION_AS_TEXT: Loss = {
  code: 'admonition_as_text',
  message: 'An MkDocs admonition (!!! note) is not supported and is shown as written. Write > [!NOTE] for an alert.',
};
const WIDGET_REMOVED: Loss = {
  code: 'shortcode_removed',
  message: 'A Hashnode widget (%%[…]) is not supported and is left out.',
};
const COMMENT_REMOVED: Loss = {
  code: 'comment_removed',
  message: 'Text between %% and %% is an Obsidian comment and is left out. To show it, write \\%%.',
};
const BLOCK_ID_REMOVED: Loss = {
  code: 'block_id_removed',
  message: 'A word like ^this at the end of a block is an Obsidian block id and is left out. To show it, write \\^.',
};
const ATTRIBUTES_REMOVED: Loss = {
  code: 'attributes_removed',
  message: 'An attribute list ({: … }) is not supported and is left out.',
};
const CONTENTS_REMOVED: Loss = {
  code: 'contents_removed',
  message:
    'A placeholder for a table of contents ([TOC]) is left out. To show one above the text, set generate_toc: true.',
};

export function findLeftovers(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (pattern: RegExp, rest: Omit<Piece, 'start' | 'end'>): void => {
    for (const match of text.matchAll(pattern)) pieces.push(buildPiece(text, match, rest));
  };
  if (text.includes('%%')) {
    add(WIDGET, { loss: WIDGET_REMOVED });
    add(COMMENT, { loss: COMMENT_REMOVED });
  }
  if (text.includes('!!!') || text.includes('???')) {
    for (const { 0: value, index } of text.matchAll(ADMONITION))
      pieces.push({ start: index, end: index + value.length, node: { type: 'text', value }, loss: ADMONITION_AS_TEXT });
  }
  if (/\btoc\b|_toc_/i.test(text)) add(CONTENTS, { loss: CONTENTS_REMOVED });
  if (text.includes('{')) {
    add(ATTRIBUTE_LINE, { loss: ATTRIBUTES_REMOVED });
    add(ATTRIBUTES, { loss: ATTRIBUTES_REMOVED });
  }
  if (text.includes(' ^') || text.includes('\t^')) add(BLOCK_ID, { loss: BLOCK_ID_REMOVED });
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
