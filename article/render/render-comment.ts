/**
 * Renders a comment like an article, without ids and headings, with links for images, which would
 * report readers to their host. Links are `nofollow`, `ugc`.
 */
import type { Element, ElementContent, Root as HtmlRoot, Nodes, RootContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { isStackOverflow, TooComplexError } from '../errors.ts';
import { findExcess } from '../markdown/complexity.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { walkTree } from '../walk-tree.ts';
import { labelBoxes } from './elements/label-boxes.ts';
import { linkLiquidEmbeds } from './link-liquid.ts';
import { extractPlainText } from './read-rendered.ts';
import { renderMath } from './render-math.ts';
import { renderTree, sanitise } from './render-tree.ts';

export interface RenderedComment {
  html: string;
  isEmpty: boolean;
  /** True if it contains a question outside of quotations and code. */
  isQuestion: boolean;
}

/** Throws `TooComplexError`. Has no time limit; in the API the document pool limits it. */
export function renderComment(body: string, siteOrigin: string): RenderedComment {
  const excess = findExcess(body);
  if (excess) throw new TooComplexError(excess.message, excess.line);
  try {
    const rendered = renderTree(parseMarkdown(body), { siteOrigin, title: '' });
    linkLiquidEmbeds(rendered);
    const safe = sanitise(rendered);
    const comment: HtmlRoot = { ...safe, children: safe.children.flatMap(reduce) as RootContent[] };
    return {
      html: toHtml(labelBoxes(renderMath(comment))),
      isEmpty: extractPlainText(comment) === '',
      isQuestion: QUESTION.test(collectOwnText(comment)),
    };
  } catch (error) {
    if (isStackOverflow(error)) throw new TooComplexError('The text is nested too deeply to be rendered.');
    throw error;
  }
}

/** In any script, at the end of a sentence. An address with a query is no question. */
const QUESTION = /[?？؟](?=[\s)\]"'”’»]|$)/u;
const BLOCK = /^(?:p|li|t[dhr]|d[dt]|br|div|details|summary)$/;
const QUOTING_ELEMENTS = new Set(['blockquote', 'pre', 'code', 'q']);
/** Attributes that belong to an entire page. */
const PAGE_ATTRIBUTES = [
  'id',
  'dataFootnotes',
  'dataFootnoteRef',
  'dataFootnoteBackref',
  'ariaDescribedBy',
  'className',
];

/** Only removes and replaces nodes, so that safe nodes stay safe. */
function reduce(node: RootContent): ElementContent[] {
  if (node.type === 'text') return [node];
  if (node.type !== 'element') return [];
  if (node.tagName === 'img') return [linkImage(node)];
  if (node.tagName === 'source') return [];
  const children = node.children.flatMap(reduce);
  if (node.tagName === 'picture') return children;
  if (/^h[1-6]$/.test(node.tagName)) {
    return [
      {
        type: 'element',
        tagName: 'p',
        properties: {},
        children: [{ ...node, tagName: 'strong', properties: {}, children }],
      },
    ];
  }
  return [{ ...node, properties: reduceProperties(node), children }];
}

function reduceProperties({ tagName, properties }: Element): Element['properties'] {
  const reduced = { ...properties };
  // Classes of code name its language, classes of quotations the kind of alert.
  for (const name of PAGE_ATTRIBUTES)
    if (name !== 'className' || tagName === 'section' || tagName === 'a') delete reduced[name];
  if (tagName !== 'a' || typeof reduced.href !== 'string') return reduced;
  // The target has lost its id.
  if (reduced.href.startsWith('#')) delete reduced.href;
  else reduced.rel = ['nofollow', 'ugc', 'noopener'];
  return reduced;
}

function linkImage({ properties }: Element): ElementContent {
  const { src, alt } = properties;
  const text: ElementContent = { type: 'text', value: typeof alt === 'string' && alt.trim() !== '' ? alt : 'image' };
  if (typeof src !== 'string' || !/^https?:/i.test(src)) return text;
  const rel = ['nofollow', 'ugc', 'noopener'];
  return { type: 'element', tagName: 'a', properties: { href: src, rel }, children: [text] };
}

function collectOwnText(tree: HtmlRoot): string {
  let words = '';
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'text') words += node.value;
    if (node.type !== 'element') return undefined;
    if (QUOTING_ELEMENTS.has(node.tagName)) return 'skip';
    if (BLOCK.test(node.tagName)) words += '\n';
    return undefined;
  });
  return words;
}
