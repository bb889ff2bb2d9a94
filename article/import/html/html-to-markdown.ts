/** Converts the HTML of a post to Markdown that this service and every destination can read. */
import type { Root as HtmlRoot } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import type { Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { tidyPhrasing } from '../../markdown/tidy-phrasing.ts';
import { flattenCells } from '../../render/elements/flatten-cells.ts';
import { renameBlocks } from '../../render/elements/rename-blocks.ts';
import { unnestBlocks } from '../../render/elements/unnest-blocks.ts';
import { articleSchema } from '../../render/sanitise-schema.ts';
import type { Notice } from '../../types.ts';
import { closeSource } from './close-source.ts';
import { tagCodeInCells } from './code-in-cells.ts';
import { escapeDialects } from './escape-dialects.ts';
import { HANDLERS } from './handlers.ts';
import { prepareAddresses } from './prepare-addresses.ts';
import { prepareCode } from './prepare-code.ts';
import { prepareEmbeds } from './prepare-embeds.ts';
import { prepareFigures } from './prepare-figures.ts';
import { prepareFootnotes } from './prepare-footnotes.ts';
import { prepareHeadings } from './prepare-headings.ts';
import { prepareMarks } from './prepare-marks.ts';
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

const parser = unified().use(rehypeParse, { fragment: true }).freeze();
const converter = unified().use(rehypeRemark, { handlers: HANDLERS }).freeze();
const writer = unified()
  .use(remarkStringify, { bullet: '-', rule: '-', emphasis: '*', fence: '`', fences: true, incrementListMarker: true })
  .use(remarkGfm)
  .freeze();

/**
 * `prepare` changes the tree first, for a specific import source. Adds a warning to `warnings` for
 * each text that is left out. Throws a `RangeError` for HTML that is nested too deeply.
 */
export function convertHtml(
  source: string,
  { base, prepare, warnings }: { base: string | null; prepare?: (tree: HtmlRoot) => void; warnings?: Notice[] },
): string {
  const closed = closeSource(source);
  warnings?.push(...closed.warnings);
  const tree = parser.parse(closed.html);
  prepare?.(tree);
  prepareHeadings(tree);
  prepareAddresses(tree, base);
  prepareEmbeds(tree);
  prepareCode(tree);
  prepareFootnotes(tree);
  prepareFigures(tree);
  prepareMarks(tree);
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
