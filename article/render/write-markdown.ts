/**
 * Writes an article as Markdown for agents, in one dialect, from the sanitised tree: it has the
 * same text as the page.
 */
import type { Element, Root as HtmlRoot } from 'hast';
import { type Handle, toMdast } from 'hast-util-to-mdast';
import type { FootnoteDefinition, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { isStackOverflow, TooComplexError } from '../errors.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { tidyPhrasing } from '../markdown/tidy-phrasing.ts';
import { flattenCells } from './elements/flatten-cells.ts';
import { unnestBlocks } from './elements/unnest-blocks.ts';
import { linkLiquidEmbeds } from './link-liquid.ts';
import { demoteHeadings, type RenderOptions, renderTree, sanitise } from './render-tree.ts';
import { AUTHOR_ID_PREFIX } from './sanitise-schema.ts';
import { writeTable } from './write-table.ts';

const writer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', emphasis: '*', rule: '-', fences: true, incrementListMarker: true })
  .freeze();

/** Ends in a line end unless it is empty. Throws `TooComplexError`. Has no time limit. */
export function writeMarkdown(body: string, options: RenderOptions): string {
  try {
    const html = renderTree(parseMarkdown(body), options);
    demoteHeadings(html);
    linkLiquidEmbeds(html);
    const safe = sanitise(html);
    unnestBlocks(safe);
    return writer.stringify(toMarkdownTree(safe));
  } catch (error) {
    if (isStackOverflow(error)) throw new TooComplexError('The text is nested too deeply to be written as Markdown.');
    throw error;
  }
}

function toMarkdownTree(html: HtmlRoot): Root {
  const handlers = { a: writeLink, code: writeCode, img: writeImage, section: writeSection, table: writeTable };
  const tree = toMdast(html, { handlers: { ...handlers, sub: writeRaised, sup: writeRaised } }) as Root;
  flattenCells(tree);
  tidyPhrasing(tree);
  return tree;
}

const FOOTNOTE = `${AUTHOR_ID_PREFIX}fn-`;

const writeLink: Handle = (state, node: Element) => {
  if (node.properties.dataFootnoteBackref !== undefined) return undefined;
  const target = String(node.properties.href ?? '');
  if (node.properties.dataFootnoteRef !== undefined && target.startsWith(`#${FOOTNOTE}`)) {
    const label = readLabel(target.slice(1));
    return { type: 'footnoteReference', identifier: label, label };
  }
  return { type: 'link', url: target, title: readTitle(node), children: state.all(node) as never };
};

const writeSection: Handle = (state, node: Element) => {
  if (node.properties.dataFootnotes === undefined) return state.toFlow(state.all(node));
  const list = node.children.find((child) => child.type === 'element' && child.tagName === 'ol') as Element | undefined;
  return (list?.children ?? []).flatMap((item): FootnoteDefinition[] => {
    if (item.type !== 'element' || !String(item.properties.id ?? '').startsWith(FOOTNOTE)) return [];
    const label = readLabel(String(item.properties.id));
    const children = state.toFlow(state.all(item)) as FootnoteDefinition['children'];
    return [{ type: 'footnoteDefinition', identifier: label, label, children }];
  });
};

/** In ids, the sanitiser leaves no character that would end a label, except brackets. */
function readLabel(id: string): string {
  return id.slice(FOOTNOTE.length).replace(/[[\]\\\s]/g, '-');
}

/** A formula between dollars and backticks, as GitHub reads it: nothing in it is Markdown. */
const writeCode: Handle = (state, node: Element) => {
  const value = readText(node);
  const code = { type: 'inlineCode', value } as const;
  state.patch(node, code);
  const classes = node.properties.className;
  if (!Array.isArray(classes) || !classes.includes('language-math')) return code;
  return [{ type: 'text', value: '$' }, code, { type: 'text', value: '$' }];
};

/** Markdown has no mark for these, and without one 10<sup>6</sup> would be 106. */
const writeRaised: Handle = (state, node: Element) => {
  const children = state.all(node);
  if (children.every(({ type }) => type === 'footnoteReference')) return children;
  return [{ type: 'html', value: `<${node.tagName}>` }, ...children, { type: 'html', value: `</${node.tagName}>` }];
};

/** Replaces an inline image (`data:`), thousands of characters, with its text. */
const writeImage: Handle = (_state, node: Element) => {
  const { src, alt } = node.properties;
  const url = String(src ?? '');
  const text = String(alt ?? '');
  if (/^data:/i.test(url)) return { type: 'text', value: text };
  return { type: 'image', url, alt: text, title: readTitle(node) };
};

function readTitle({ properties: { title } }: Element): string | null {
  return typeof title === 'string' ? title : null;
}

function readText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type !== 'element') return child.type === 'text' ? child.value : '';
      return child.tagName === 'br' ? ' ' : readText(child);
    })
    .join('');
}
