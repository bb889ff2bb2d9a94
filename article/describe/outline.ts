/** Splits an article into headings and the blocks below them, as input for the description. */
import type { Element, ElementContent, Root as HtmlRoot, RootContent } from 'hast';
import { getElementText } from '../render/elements/element-text.ts';
import { isFootnoteLabel } from '../render/elements/prepare-elements.ts';
import { cleanLine } from '../text/clean-text.ts';

export interface Block {
  kind: 'paragraph' | 'list' | 'orderedList' | 'quote' | 'code' | 'table';
  /** On one line. `items` has the items of a list separately. */
  text: string;
  items: string[];
  /** The bold words at the start of a paragraph; all of its text if it serves as a heading. */
  lead: string;
  /** The end offset in the source; null for HTML. */
  end: number | null;
}

export interface Section {
  heading: string;
  level: number;
  blocks: Block[];
}

const KINDS: Record<string, Block['kind']> = {
  p: 'paragraph',
  ul: 'list',
  ol: 'orderedList',
  dl: 'list',
  blockquote: 'quote',
  pre: 'code',
  table: 'table',
};
const CONTAINERS = new Set(['div', 'section', 'details', 'figure']);

export function buildOutline(tree: HtmlRoot): Section[] {
  let current: Section = { heading: '', level: 0, blocks: [] };
  const sections = [current];
  const walk = (nodes: RootContent[]): void => {
    for (const node of nodes) {
      if (node.type !== 'element') continue;
      const level = /^h([1-6])$/.exec(node.tagName)?.[1];
      if (level !== undefined) {
        if (isFootnoteLabel(node)) return;
        current = { heading: readLine(node), level: Number(level), blocks: [] };
        sections.push(current);
      } else if (node.tagName === 'summary') {
        current = { heading: readLine(node), level: current.level + 1, blocks: [] };
        sections.push(current);
      } else if (CONTAINERS.has(node.tagName)) walk(node.children);
      else addBlock(current, node);
    }
  };
  walk(tree.children);
  return sections;
}

/** Paragraphs, list items and quotations, one per line; no headings, code or tables. */
export function joinProse(sections: Section[]): string {
  const lines: string[] = [];
  for (const block of sections.flatMap(({ blocks }) => blocks)) {
    if (block.kind === 'code' || block.kind === 'table') continue;
    if (block.items.length > 0) lines.push(...block.items);
    else lines.push(block.text);
  }
  return lines.join('\n');
}

export function collectBlocks(sections: Section[], index: number): Block[] {
  const start = sections[index];
  if (start === undefined) return [];
  const blocks = [...start.blocks];
  for (const section of sections.slice(index + 1)) {
    if (section.level <= start.level) break;
    blocks.push(...section.blocks);
  }
  return blocks;
}

export function listParagraphs(sections: Section[]): Block[] {
  return sections.flatMap((section) => section.blocks.filter((block) => block.kind === 'paragraph'));
}

export function joinBlocks(blocks: Block[]): string {
  return blocks
    .filter((block) => block.kind !== 'code')
    .map((block) => (block.items.length > 0 ? block.items.join(' ') : block.text))
    .filter((text) => text !== '')
    .join(' ');
}

function addBlock(section: Section, node: Element): void {
  const kind = KINDS[node.tagName];
  if (kind === undefined) return;
  const isList = kind === 'list' || kind === 'orderedList';
  const items = isList ? readItems(node) : [];
  const text = isList ? items.join(' ') : readLine(node);
  const end = node.position?.end.offset ?? null;
  if (text !== '') section.blocks.push({ kind, text, items, lead: kind === 'paragraph' ? readLead(node) : '', end });
}

/** Leaves out footnote numbers, which would stick to the word before them. */
function readLine(element: Element): string {
  const isReference = (node: ElementContent): boolean =>
    node.type === 'element' && node.tagName === 'sup' && node.children.some(isFootnoteLink);
  const children = element.children.some(isReference)
    ? element.children.filter((node) => !isReference(node))
    : element.children;
  return cleanLine(getElementText({ ...element, children }));
}

function isFootnoteLink(node: ElementContent): boolean {
  return node.type === 'element' && node.properties.dataFootnoteRef !== undefined;
}

/** Leaves out nested lists, which would repeat their text, and code. */
function readItems(list: Element): string[] {
  return list.children
    .filter((child) => child.type === 'element')
    .map((item) => {
      const children = item.children.filter(
        (child) => child.type !== 'element' || !['ul', 'ol', 'pre'].includes(child.tagName),
      );
      return readLine({ ...item, children });
    })
    .filter((text) => text !== '');
}

function readLead(paragraph: Element): string {
  const [first] = paragraph.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  return first?.type === 'element' && ['strong', 'b'].includes(first.tagName) ? readLine(first) : '';
}
