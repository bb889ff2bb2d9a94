/**
 * Writes an HTML tree as WordPress's own blocks. Without them `wpautop` adds paragraphs and line
 * breaks to the HTML. With them the theme styles code, tables and quotes, and the author can edit
 * the post. Elements without a core block become custom HTML.
 */
import type { Element, ElementContent, RootContent } from 'hast';
import { writeNativeBlock } from './native-blocks.ts';
import { isInline, writeHtml } from './write-html.ts';

/** The blocks of these nodes, one after the other. */
export function writeBlocks(nodes: readonly RootContent[]): string {
  const blocks: string[] = [];
  let foreign: RootContent[] = [];
  const flush = () => {
    if (foreign.length > 0) blocks.push(`<!-- wp:html -->\n${writeHtml(foreign)}\n<!-- /wp:html -->`);
    foreign = [];
  };
  for (const node of gatherLooseText(nodes)) {
    if (isInvisible(node)) continue;
    const block = node.type === 'element' ? writeNativeBlock(node, writeBlocks) : null;
    if (block === null) {
      foreign.push(node);
    } else {
      flush();
      if (block !== '') blocks.push(block);
    }
  }
  flush();
  return blocks.join('\n\n');
}

const SHOWN = new Set(['img', 'hr', 'input', 'picture', 'video', 'audio']);

/** True if the node shows nothing and no link can target it (generated ids aside). */
function isInvisible(node: RootContent): boolean {
  if (node.type === 'text') return node.value.trim() === '';
  if (node.type !== 'element') return true;
  const isTarget = node.properties.id !== undefined && !/^h[1-6]$/.test(node.tagName);
  return !SHOWN.has(node.tagName) && !isTarget && node.children.every(isInvisible);
}

/** Text and inline elements between blocks become paragraphs. White space there is dropped. */
function gatherLooseText(nodes: readonly RootContent[]): RootContent[] {
  const gathered: RootContent[] = [];
  let paragraph: Element | null = null;
  for (const node of nodes) {
    if (node.type === 'element' ? !isInline(node) : node.type !== 'text') {
      gathered.push(node);
      paragraph = null;
    } else if (paragraph !== null) {
      paragraph.children.push(node as ElementContent);
    } else if (node.type !== 'text' || node.value.trim() !== '') {
      paragraph = { type: 'element', tagName: 'p', properties: {}, children: [node as ElementContent] };
      gathered.push(paragraph);
    }
  }
  return gathered;
}
