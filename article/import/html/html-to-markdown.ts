/** Converts the HTML of a post to Markdown that this service and every destination can read. */
import type { Element, Root as HtmlRoot } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import type { Html, Nodes, PhrasingContent, Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRemark, { type Options } from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { tidyPhrasing } from '../../markdown/tidy-phrasing.ts';
import { flattenCells } from '../../render/elements/flatten-cells.ts';
import { renameBlocks } from '../../render/elements/rename-blocks.ts';
import { unnestBlocks } from '../../render/elements/unnest-blocks.ts';
import { articleSchema } from '../../render/sanitise-schema.ts';
import { writeTable } from '../../render/write-table.ts';
import type { Notice } from '../../types.ts';
import { walkTree } from '../../walk-tree.ts';
import { closeSource } from './close-source.ts';
import { escapeDialects } from './escape-dialects.ts';
import { prepareCode } from './prepare-code.ts';
import { prepareElements } from './prepare-elements.ts';
import { prepareFootnotes } from './prepare-footnotes.ts';
import { preserveFormulas } from './preserve-formulas.ts';

/** Elements that articles show, and elements that mark steps of the conversion. */
const SCHEMA: Schema = {
  ...articleSchema,
  tagNames: [...(articleSchema.tagNames ?? []), 'footnote', 'footnote-reference', 'noscript'],
  attributes: {
    ...articleSchema.attributes,
    footnote: ['dataFootnote'],
    'footnote-reference': ['dataFootnote'],
    img: ['alt', 'title', ['src', /^https?:\/\//i, /^(?!\s*[\w+.-]+:)/]],
    code: [['className', /^language-/]],
  },
};

type Handlers = NonNullable<Options['handlers']>;
type State = Parameters<NonNullable<Handlers[string]>>[0];

/** Without these elements the meaning of a text would change: x², H₂O, Ctrl. */
const PRESERVED = ['sub', 'sup', 'kbd', 'mark', 'ins'] as const;

/** Converts tables and footnotes. Elements that Markdown has no marks for stay HTML. */
const HANDLERS: Handlers = {
  ...Object.fromEntries(
    PRESERVED.map((name) => [name, (state: State, node: Element) => preserveTags(state, node, name)]),
  ),
  table: writeTable,
  footnote: (state, node) => ({
    type: 'footnoteDefinition',
    identifier: readName(node),
    label: readName(node),
    children: state.toFlow(state.all(node)),
  }),
  'footnote-reference': (_state, node) => ({
    type: 'footnoteReference',
    identifier: readName(node),
    label: readName(node),
  }),
};

function preserveTags(state: State, node: Element, name: string): (Html | PhrasingContent)[] {
  const children = state.all(node) as PhrasingContent[];
  if (children.length === 0) return [];
  return [{ type: 'html', value: `<${name}>` }, ...children, { type: 'html', value: `</${name}>` }];
}

function readName({ properties }: Element): string {
  return String(properties.dataFootnote ?? '');
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();
const converter = unified().use(rehypeRemark, { handlers: HANDLERS }).freeze();
const writer = unified()
  .use(remarkStringify, { bullet: '-', rule: '-', emphasis: '*', fence: '`', fences: true, incrementListMarker: true })
  .use(remarkGfm)
  .freeze();

/**
 * `prepare` changes the tree first. Adds a warning for each text that is left out. Throws a
 * `RangeError` for HTML that is nested too deeply.
 */
export function convertHtml(
  source: string,
  { base, prepare, warnings }: { base: string | null; prepare?: (tree: HtmlRoot) => void; warnings?: Notice[] },
): string {
  const closed = closeSource(source);
  warnings?.push(...closed.warnings);
  const tree = parser.parse(closed.html);
  prepare?.(tree);
  prepareElements(tree, base);
  prepareCode(tree);
  prepareFootnotes(tree);
  renameBlocks(tree);
  const safe = sanitize(tree, SCHEMA) as HtmlRoot;
  unnestBlocks(safe);
  const markdown = converter.runSync(safe) as Root;
  flattenCells(markdown);
  tidyPhrasing(markdown);
  preserveFormulas(markdown);
  tagCodeInCells(markdown);
  return escapeDialects(writer.stringify(markdown).trim());
}

/**
 * In a table cell a backslash before a bar belongs to the table, even in code. Code with both signs
 * becomes HTML tags with text between them.
 */
function tagCodeInCells(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'tableCell') return undefined;
    walkTree<Nodes>(node, tagCode);
    return 'skip';
  });
}

function tagCode(node: Nodes): undefined {
  if (!('children' in node)) return undefined;
  const parts = (node.children as PhrasingContent[]).flatMap((child): PhrasingContent[] => {
    if (child.type !== 'inlineCode' || !child.value.includes('\\|')) return [child];
    const text: PhrasingContent = { type: 'text', value: child.value };
    return [{ type: 'html', value: '<code>' }, text, { type: 'html', value: '</code>' }];
  });
  node.children = parts as never;
  return undefined;
}
