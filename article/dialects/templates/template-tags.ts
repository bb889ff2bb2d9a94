/** Reads Liquid tags (`{% include … %}`, `{% raw %}`) and links with a template as address. */
import { buildPiece, isEscaped, type Piece } from '../spans.ts';

const RAW = /\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}/g;
const COMMENT =
  /\{%-?[ \t]*comment[ \t]*-?%\}(?:(?!\{%-?[ \t]*endcomment)[\s\S]){0,8000}\{%-?[ \t]*endcomment[ \t]*-?%\}/g;
/** Tags of Jekyll and Hexo, blocks of Forem. Others may be examples, and embeds are links. */
const TAG =
  /\{%-?[ \t]*(?:include(?:_relative|_cached)?|link(?![ \t]+https?:)|post_url|assign|capture|endcapture|for|endfor|if|elsif|else|endif|unless|endunless|asset_(?:img|link|path)|post_(?:link|path)|(?:end)?(?:blockquote|pullquote|note|details|collapsible|spoiler|card))(?:[ \t][^{}%\n]{0,300})?-?%\}/g;
/** `[words]({% post_url … %})`, `[words]({{< ref "x.md" >}})`: with blanks, no CommonMark links. */
const LINK =
  /(!?\[)((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,500})(\]\((?:[^\s(){}]{0,200}(?:\{\{(?=[^{}\n]*[ \t])[^{}\n]{1,300}\}\}|\{%[^{}\n]{1,300}%\})){1,4}[^\s(){}]{0,500}(?:[ \t]+"[^"\n]{0,300}")?\))/g;

/** Comments, which their author expects to be hidden. */
export function findLiquidComments(text: string): Piece[] {
  if (!text.includes('{%')) return [];
  return [...text.matchAll(COMMENT)].map((match) => buildPiece(text, match, {}));
}

export function findTemplateTags(text: string): Piece[] {
  const pieces: Piece[] = [];
  if (text.includes('{%')) {
    // An unpaired tag is an example in the text.
    const isPaired = /\{%-?[ \t]*raw\b/.test(text) && /\{%-?[ \t]*endraw\b/.test(text);
    for (const match of isPaired ? text.matchAll(RAW) : [])
      if (!isEscaped(text, match.index)) pieces.push(buildPiece(text, match, {}));
    for (const match of text.matchAll(TAG)) {
      if (isEscaped(text, match.index)) continue;
      pieces.push(buildPiece(text, match, { node: { type: 'text', value: match[0] }, loss: 'template_as_text' }));
    }
  }
  if (text.includes('{{') || text.includes('{%')) {
    for (const { 1: open = '', 2: words = '', 3: close = '', index } of text.matchAll(LINK)) {
      if (isEscaped(text, index)) continue;
      // The words may contain emphasis, so only the syntax around them is removed.
      const removed = { node: { type: 'text', value: '' }, loss: 'template_link_as_text' } as const;
      const middle = index + open.length + words.length;
      pieces.push({ start: index, end: index + open.length, ...removed });
      pieces.push({ start: middle, end: middle + close.length, ...removed });
    }
  }
  return pieces;
}
