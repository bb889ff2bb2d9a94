/** What only the tool that an article was written for understands: comments, wiki links, shortcodes, attributes of headings. */
import type { PhrasingContent } from 'mdast';
import { findEmbed } from '../embeds/embed-by-name.ts';
import type { Loss, Piece } from './spans.ts';

const COMMENT = /(?<=^|\s)%%(?!%)(?:(?!%%)[\s\S]){0,4000}%%(?=\s|$)/g;
const WIDGET = /(?<=^|\n)%%\[[\w -]{1,100}\](?=\s*(?:\n|$))/g;
const WIKI_LINK = /(?<!\\)(!?)\[\[(?!\s|\d+\]\])([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\](?![([:])/g;
const SHORTCODE = /\{\{([<%])[ \t]*(\/?)([\w-]{1,60})((?:[ \t\n][^{}]{0,1000}?)?)\/?[ \t]*[>%]\}\}/g;
const ARGUMENT = /(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g;
const CODE =
  /\{\{[<%][ \t]*highlight[ \t]+"?([\w+#-]{1,40})"?[^{}]{0,200}[>%]\}\}\n?((?:(?!\{\{[<%])[\s\S]){0,20000}?)\{\{[<%][ \t]*\/[ \t]*highlight[ \t]*[>%]\}\}/g;
const JEKYLL_CODE =
  /\{%-?[ \t]*highlight[ \t]+([\w+#-]{1,40})[^{}%]{0,100}%\}\n?((?:(?!\{%)[\s\S]){0,20000}?)\{%-?[ \t]*endhighlight[ \t]*-?%\}/g;
const KRAMDOWN = /(?<=(?:^|\n)[ \t]{0,3})\{:[^{}\n]{0,300}\}(?=[ \t]*(?:\n|$))/g;

const SHORTCODE_REMOVED: Loss = {
  code: 'shortcode_removed',
  message:
    'A shortcode ({{< … >}}) is known only to the site that it was written for; it is left out, and text between two is kept.',
};
const WIDGET_REMOVED: Loss = {
  code: 'shortcode_removed',
  message: 'A widget (%%[…]) is known only to Hashnode; it is left out.',
};
const WIKI_LINK_AS_TEXT: Loss = {
  code: 'wiki_link_as_text',
  message:
    'A wiki link ([[…]]) leads nowhere outside of its vault; its words are kept. Write [text](address) for a link.',
};
const ATTRIBUTES_REMOVED: Loss = {
  code: 'attributes_removed',
  message: 'An attribute list ({: … }) is not read; it is left out.',
};

export function findLeftovers(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (match: RegExpExecArray, rest: Omit<Piece, 'start' | 'end'>): void => {
    const end = match.index + match[0].length;
    // Blanks before words would make an indented block of code of them.
    const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100));
    const inPlace: Pick<Piece, 'node'> = isLast ? {} : { node: { type: 'text', value: '' } };
    pieces.push({ start: match.index, end, ...inPlace, ...rest });
  };
  if (text.includes('%%')) {
    for (const match of text.matchAll(WIDGET)) add(match, { loss: WIDGET_REMOVED });
    for (const match of text.matchAll(COMMENT)) add(match, {});
  }
  if (text.includes('[[')) for (const match of text.matchAll(WIKI_LINK)) add(match, readWikiLink(match));
  if (text.includes('{{')) {
    for (const match of text.matchAll(CODE)) add(match, { node: buildCode(match[1] ?? '', match[2] ?? '') });
    for (const match of text.matchAll(SHORTCODE)) add(match, readShortcode(match));
  }
  if (text.includes('{%')) {
    for (const match of text.matchAll(JEKYLL_CODE)) add(match, { node: buildCode(match[1] ?? '', match[2] ?? '') });
  }
  if (text.includes('{:')) for (const match of text.matchAll(KRAMDOWN)) add(match, { loss: ATTRIBUTES_REMOVED });
  return pieces;
}

function readWikiLink([, embed, page = '', words]: RegExpExecArray): Omit<Piece, 'start' | 'end'> {
  const value = (words ?? page).trim();
  const node: PhrasingContent = embed === '!' ? { type: 'inlineCode', value: page } : { type: 'text', value };
  return { node, loss: WIKI_LINK_AS_TEXT };
}

function readShortcode([, , closing, name = '', rest = '']: RegExpExecArray): Omit<Piece, 'start' | 'end'> {
  if (closing !== '') return { loss: SHORTCODE_REMOVED };
  const named = new Map<string, string>();
  const values: string[] = [];
  for (const [, key, quoted, raw, bare] of rest.matchAll(ARGUMENT)) {
    const value = quoted ?? raw ?? bare ?? '';
    if (key === undefined) values.push(value);
    else named.set(key.toLowerCase(), value);
  }
  const src = named.get('src') ?? values[0];
  if (/^(?:figure|img|image)$/i.test(name) && src) {
    const alt = named.get('alt') ?? named.get('caption') ?? named.get('title') ?? '';
    return { node: { type: 'image', url: src, alt } };
  }
  const given = named.get('id') ?? named.get('url') ?? named.get('src');
  const embed = findEmbed(name, given === undefined ? values : [given]);
  if (embed === null) return { loss: SHORTCODE_REMOVED };
  const text = named.get('title') ?? embed.text;
  return { node: { type: 'link', url: embed.url, children: [{ type: 'text', value: text }] } };
}

function buildCode(language: string, value: string): PhrasingContent {
  const className = [`language-${language.toLowerCase()}`, 'code-display'];
  return { type: 'inlineCode', value: value.replace(/\n$/, ''), data: { hProperties: { className } } };
}
