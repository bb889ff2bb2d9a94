/** Reads headings, outbound links, plain text and code from the sanitised HTML of an article. */
import type { Element, Root as HtmlRoot, Nodes, RootContent } from 'hast';
import { toText } from 'hast-util-to-text';
import { formatUri } from '../identity/canonical.ts';
import { cleanLine } from '../text/clean-text.ts';
import type { Heading } from '../types.ts';
import { walkTree } from '../walk-tree.ts';
import { getElementText } from './elements/element-text.ts';
import { isFootnoteLabel } from './elements/prepare-elements.ts';
import { isMath } from './render-math.ts';

export interface RenderedFacts {
  headings: Heading[];
  /** Absolute http(s) addresses on other sites, unique, in order. */
  outboundReferences: string[];
  /** Texts of inline code, in order, with repetitions, without formulas. */
  inlineCode: string[];
  codeBlocks: number;
}

export function readRendered(tree: HtmlRoot, siteOrigin: string): RenderedFacts {
  const headings: Heading[] = [];
  const outbound = new Set<string>();
  const inlineCode: string[] = [];
  let codeBlocks = 0;
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    const { tagName } = node;
    if (/^h[1-6]$/.test(tagName)) {
      const text = cleanLine(getElementText(node));
      if (isFootnoteLabel(node)) return undefined;
      if (text !== '') headings.push({ level: Number(tagName[1]), text, id: String(node.properties.id ?? '') });
    } else if (tagName === 'a') {
      const url = parseOutsideUrl(node.properties.href, siteOrigin);
      if (url !== null) outbound.add(url);
    } else if (tagName === 'pre') {
      codeBlocks += 1;
      return 'skip';
    } else if (tagName === 'code' && !isMath(node)) inlineCode.push(getElementText(node));
    return undefined;
  });
  return { headings, outboundReferences: [...outbound], inlineCode, codeBlocks };
}

/** The text as readers see it: blocks on lines, blanks folded outside code, no footnote arrows. */
export function extractPlainText(tree: HtmlRoot): string {
  const text = toText(dropBackrefs(tree));
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function parseOutsideUrl(href: unknown, siteOrigin: string): string | null {
  if (typeof href !== 'string' || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  return url.origin === siteOrigin ? null : formatUri(url);
}

function dropBackrefs<N extends HtmlRoot | Element>(node: N): N {
  const children = (node.children as RootContent[]).flatMap((child): RootContent[] => {
    if (child.type !== 'element') return [child];
    const isDropped = child.properties.dataFootnoteBackref !== undefined || isFootnoteLabel(child);
    return isDropped ? [] : [dropBackrefs(child)];
  });
  return { ...node, children };
}
