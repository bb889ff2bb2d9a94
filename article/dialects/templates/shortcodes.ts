/**
 * Reads shortcodes (`{{< figure … >}}`) and code blocks of Hugo, Jekyll, Hexo, Zola and Zenn.
 * Links, images and code become nodes; other shortcodes are removed.
 */
import type { Blockquote, Image, Paragraph, PhrasingContent } from 'mdast';
import { findEmbed } from '../../embeds/embed-by-name.ts';
import { buildPiece, type Piece } from '../spans.ts';

const SHORTCODE = /\{\{([<%])[ \t]*(\/?)([\w-]{1,60})((?:[ \t\n][^{}]{0,1000}?)?)\/?[ \t]*[>%]\}\}/g;
/** Hugo's escape for a shortcode that is shown as text. */
const SHOWN_SHORTCODE = /\{\{([<%])\/\*([^{}]{0,1000}?)\*\/([>%])\}\}/g;
const COMMENT = /\{\{-?[ \t]*\/\*(?:(?!\*\/)[\s\S]){0,4000}\*\/[ \t]*-?\}\}/g;
/** A Zola embed: `{{ youtube(id="…") }}`. A call that is no embed may be an example. */
const FUNCTION = /\{\{[ \t]*([\w-]{1,60})\(([^(){}\n]{1,300})\)[ \t]*\}\}/g;
/** Zenn, alone on a line: `@[youtube](id)`, `@[card](https://…)`. */
const AT_EMBED = /(?<=(?:^|\n)[ \t]{0,3})@\[([a-z]{1,20})\]\(([^()\s]{1,500})\)(?=[ \t]*(?:\n|$))/g;
const ARGUMENT = /(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=,]+))/g;
const CODE =
  /\{\{[<%][ \t]*highlight[ \t]+"?([\w+#-]{1,40})"?[^{}]{0,200}[>%]\}\}\n?((?:(?!\{\{[<%])[\s\S]){0,20000}?)\{\{[<%][ \t]*\/[ \t]*highlight[ \t]*[>%]\}\}/g;
const DIAGRAM =
  /\{\{[<%][ \t]*mermaid[^{}]{0,200}[>%]\}\}\n?((?:(?!\{\{[<%])[\s\S]){0,20000}?)\{\{[<%][ \t]*\/[ \t]*mermaid[ \t]*[>%]\}\}/g;
const JEKYLL_CODE =
  /\{%-?[ \t]*highlight[ \t]+([\w+#-]{1,40})[^{}%]{0,100}%\}\n?((?:(?!\{%)[\s\S]){0,20000}?)\{%-?[ \t]*endhighlight[ \t]*-?%\}/g;
/** Hexo: `{% codeblock a.js lang:js %}`. */
const HEXO_CODE =
  /\{%-?[ \t]*codeblock\b([^{}%\n]{0,200})%\}\n?((?:(?!\{%)[\s\S]){0,20000}?)\{%-?[ \t]*endcodeblock[ \t]*-?%\}/g;

type Read = (...groups: string[]) => Omit<Piece, 'start' | 'end'> | null;

/** Only texts with `mark` are searched. Of overlapping matches the earlier, longer one counts. */
const RULES: [mark: string, pattern: RegExp, read: Read][] = [
  ['{{', CODE, (language = '', value = '') => ({ node: buildCode(language, value) })],
  ['{{', DIAGRAM, (value = '') => ({ node: buildCode('mermaid', value), loss: 'diagram_as_code' })],
  ['{{', SHORTCODE, readShortcode],
  ['{{', SHOWN_SHORTCODE, (open, inner, close) => ({ node: { type: 'text', value: `{{${open}${inner}${close}}}` } })],
  ['{{', COMMENT, () => ({})],
  ['{{', FUNCTION, (name = '', rest = '') => wrapNode(readEmbed(name, rest))],
  ['@[', AT_EMBED, (name = '', value = '') => wrapNode(readEmbed(name === 'card' ? 'link' : name, value))],
  ['{%', JEKYLL_CODE, (language = '', value = '') => ({ node: buildCode(language, value) })],
  [
    '{%',
    HEXO_CODE,
    (head = '', value = '') => ({ node: buildCode(/\blang:([\w+#-]+)/.exec(head)?.[1] ?? 'text', value) }),
  ],
];

export function findShortcodes(text: string): Piece[] {
  return RULES.filter(([mark]) => text.includes(mark)).flatMap(([, pattern, read]) =>
    [...text.matchAll(pattern)].flatMap((match): Piece[] => {
      const found = read(...match.slice(1).map((group) => group ?? ''));
      return found === null ? [] : [buildPiece(text, match, found)];
    }),
  );
}

function wrapNode(node: PhrasingContent | null): { node: PhrasingContent } | null {
  return node === null ? null : { node };
}

function readShortcode(_mark = '', closing = '', name = '', rest = ''): Omit<Piece, 'start' | 'end'> {
  if (closing !== '') return { loss: 'shortcode_removed' };
  const { named, values } = readArguments(rest);
  const src = named.get('src') ?? values[0];
  if (/^(?:figure|img|image)$/i.test(name) && src) {
    const alt = named.get('alt') ?? named.get('caption') ?? named.get('title') ?? '';
    return { node: buildFigure({ type: 'image', url: src, alt }, named) };
  }
  const node = readEmbed(name, rest);
  return node === null ? { loss: 'shortcode_removed' } : { node };
}

/** Includes the link around the image and the caption below it. */
function buildFigure(image: Image, named: Map<string, string>): PhrasingContent {
  const href = named.get('link') || named.get('href');
  const shown: PhrasingContent = href ? { type: 'link', url: href, children: [image] } : image;
  const caption = named.get('caption') || named.get('title');
  if (!caption) return shown;
  const words: PhrasingContent = { type: 'emphasis', children: [{ type: 'text', value: caption }] };
  return { type: 'emphasis', children: [shown, { type: 'break' }, words], data: { hName: 'span' } };
}

/** Turns a figure that is alone in its paragraph into a block, so that its caption is not text. */
export function readFigure(paragraph: PhrasingContent[]): Blockquote | null {
  const [only, ...others] = paragraph.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  if (only?.type !== 'emphasis' || only.data?.hName !== 'span' || others.length > 0) return null;
  const [shown, , words] = only.children;
  if (shown === undefined || words?.type !== 'emphasis') return null;
  const caption: Paragraph = { type: 'paragraph', children: words.children, data: { hName: 'figcaption' } };
  return { type: 'blockquote', children: [shown as never, caption], data: { hName: 'figure' } };
}

function readEmbed(name: string, rest: string): PhrasingContent | null {
  const { named, values } = readArguments(rest);
  const address = named.get('id') ?? named.get('url') ?? named.get('src');
  const embed = findEmbed(name, address === undefined ? values : [address]);
  if (embed === null) return null;
  return { type: 'link', url: embed.url, children: [{ type: 'text', value: named.get('title') ?? embed.text }] };
}

function readArguments(text: string): { named: Map<string, string>; values: string[] } {
  const named = new Map<string, string>();
  const values: string[] = [];
  for (const [, key, quoted, raw, bare] of text.matchAll(ARGUMENT)) {
    const value = quoted ?? raw ?? bare ?? '';
    if (key === undefined) values.push(value);
    else named.set(key.toLowerCase(), value);
  }
  return { named, values };
}

function buildCode(language: string, value: string): PhrasingContent {
  const className = [`language-${language.toLowerCase()}`, 'code-display'];
  return { type: 'inlineCode', value: value.replace(/\n$/, ''), data: { hProperties: { className } } };
}
