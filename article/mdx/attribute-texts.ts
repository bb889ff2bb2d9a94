/** Converts attributes of components (`<Card title="…" href="…">`) to text and links. */
import type { Nodes, Paragraph, PhrasingContent } from 'mdast';
import { findEmbed } from '../embeds/embed-by-name.ts';
import { cleanLine } from '../text/clean-text.ts';

type Attributes = Map<string, string | null>;

/** Shown above the contents, in bold. The first one with a value is used. */
const HEADS = ['title', 'label', 'summary'];
const FEET = ['description', 'caption'];
/** Components for search engines, with texts that no page shows. */
const UNSEEN = /^(?:seo|head|helmet|meta(?:tags|data)?|script|style)$/i;
const MAX_TEXT_LENGTH = 2_000;

/** The contents with the texts around them; null if the component has no such text. */
export function writeAttributeTexts(
  name: string,
  attributes: Attributes,
  { children, isFlow }: { children: Nodes[]; isFlow: boolean },
): Nodes[] | null {
  if (name === '' || UNSEEN.test(name)) return null;
  const embed = children.length === 0 ? findComponentEmbed(name, attributes) : null;
  const head = HEADS.map((key) => readAttributeText(attributes, key)).find((text) => text !== null) ?? null;
  const feet = FEET.map((key) => readAttributeText(attributes, key)).filter((text) => text !== null);
  const url = embed?.url ?? readAddress(attributes);
  if (head === null && feet.length === 0 && url === null) return null;
  if (!isFlow) {
    if (head !== null || children.length === 0)
      return joinInline([write(head ?? feet[0] ?? url ?? '', url), ...children]);
    const isLink = url !== null && !children.some(({ type }) => type === 'link');
    return isLink ? [{ type: 'link', url, children: children as PhrasingContent[] }] : children;
  }
  const blocks: Nodes[] = [...children];
  if (head !== null) blocks.unshift(buildParagraph([{ type: 'strong', children: [write(head, url)] }]));
  else if (url !== null)
    linkBlocks(blocks, feet.length > 0 && children.length === 0 ? (feet.shift() ?? url) : (embed?.text ?? url), url);
  return [...blocks, ...feet.map((text) => buildParagraph([{ type: 'text', value: text }]))];
}

export function readAttributeText(attributes: Attributes, key: string): string | null {
  const text = cleanLine((attributes.get(key) ?? '').slice(0, MAX_TEXT_LENGTH));
  return text === '' ? null : text;
}

/** `<YouTube id="…" />`, `<Tweet id="…" />`, `<Gist url="…" />`. */
function findComponentEmbed(name: string, attributes: Attributes): { url: string; text: string } | null {
  const values = ['id', 'videoid', 'tweetid', 'youtubeid', 'url', 'src', 'tweetlink', 'slug'];
  const value = values.map((key) => readAttributeText(attributes, key)).find((text) => text !== null);
  return value === undefined ? null : findEmbed(name, [value]);
}

function readAddress(attributes: Attributes): string | null {
  const address =
    readAttributeText(attributes, 'href') ??
    readAttributeText(attributes, 'to') ??
    readAttributeText(attributes, 'url');
  return address === null || /\s/.test(address) ? null : address;
}

/** Makes a single paragraph the link; otherwise adds the link after the blocks. */
function linkBlocks(blocks: Nodes[], text: string, url: string): void {
  const [only, ...others] = blocks;
  if (only?.type === 'paragraph' && others.length === 0 && !only.children.some(({ type }) => type === 'link')) {
    blocks[0] = { ...only, children: [{ type: 'link', url, children: only.children }] };
  } else blocks.push(buildParagraph([write(text, url)]));
}

function write(text: string, url: string | null): PhrasingContent {
  const words: PhrasingContent = { type: 'text', value: text };
  return url === null ? words : { type: 'link', url, children: [words] };
}

function buildParagraph(children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children };
}

/** Adds a blank between the text of the attributes and the contents. */
function joinInline(nodes: Nodes[]): Nodes[] {
  const [first, ...rest] = nodes;
  return first === undefined || rest.length === 0 ? nodes : [first, { type: 'text', value: ' ' }, ...rest];
}
