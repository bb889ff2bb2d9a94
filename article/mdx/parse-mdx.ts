/**
 * Reads MDX without running it: drops ESM, replaces components with their children. Only blocks
 * that contain MDX are rewritten, as plain Markdown.
 */
import type { Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { type HiddenDialects, hideDialects } from '../dialects/hide-dialects.ts';
import { isStackOverflow } from '../errors.ts';
import type { FieldNode } from '../frontmatter/field-node.ts';
import type { TextEdit } from '../markdown/edits.ts';
import { parseGfm, preserveDestinations } from '../markdown/parse-markdown.ts';
import type { Notice } from '../types.ts';
import { listExportedFields } from './exported-fields.ts';
import { flattenMdx, type MdxLoss } from './flatten-mdx.ts';

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).use(preserveDestinations).freeze();
const writer = unified().use(remarkGfm).use(remarkStringify, { bullet: '-', rule: '-', emphasis: '_' }).freeze();

export interface MdxResult {
  /** Contains no MDX nodes. */
  tree: Root;
  /** Blocks with MDX. `rewriteBlocks` writes them once their links are absolute. */
  rewritten: { start: number; end: number; nodes: RootContent[] }[];
  restore: HiddenDialects['restore'];
  /** Fields that the document exports. */
  exported: [string, FieldNode][];
  warnings: Notice[];
}

/** The reading, or the reason why the text is not valid MDX. `line` is a line of the document. */
export function parseMdx(
  body: string,
  bodyLine: number,
): MdxResult | { invalid: { reason: string; line: number }; exported: [string, FieldNode][] } {
  let parsed: { tree: Root; restore: HiddenDialects['restore'] };
  try {
    parsed = parse(body);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    return { invalid: describeFailure(error, bodyLine), exported: readExportsAlone(body, bodyLine) };
  }
  const { tree, restore } = parsed;
  const rewritten: MdxResult['rewritten'] = [];
  const losses: MdxLoss[] = [];
  const children: RootContent[] = [];
  for (const child of tree.children) {
    const nodes = flattenMdx(child, losses);
    children.push(...nodes);
    const start = child.position?.start.offset;
    const end = child.position?.end.offset;
    const isChanged = nodes.length !== 1 || nodes[0] !== child || isIndented(child);
    if (isChanged && start !== undefined && end !== undefined) rewritten.push({ start, end, nodes });
  }
  const warnings = losses.map((loss) => buildWarning({ ...loss, source: restore(loss.source) }, bodyLine));
  const exported = listExportedFields(tree, bodyLine);
  return { tree: { ...tree, children }, rewritten, restore, exported, warnings };
}

/** Tries again without hiding: hidden text may be JavaScript. */
function parse(body: string): { tree: Root; restore: HiddenDialects['restore'] } {
  const { text, restore } = hideDialects(body, parseGfm);
  try {
    return { tree: reader.parse(blankComments(text)), restore };
  } catch (error) {
    if (isStackOverflow(error) || text === body) throw error;
    return { tree: reader.parse(blankComments(body)), restore: (part) => part };
  }
}

/** Reads the exports of a text with invalid blocks, each block by itself. */
function readExportsAlone(body: string, bodyLine: number): [string, FieldNode][] {
  let line = bodyLine;
  return body.split('\n\n').flatMap((block) => {
    const first = line;
    line += block.split('\n').length + 1;
    if (!/^\n*export\s/.test(block)) return [];
    try {
      return listExportedFields(reader.parse(block), first);
    } catch (error) {
      if (isStackOverflow(error)) throw error;
      return [];
    }
  });
}

/** The edits that replace blocks with MDX by plain Markdown. */
export function rewriteBlocks(body: string, { rewritten, restore }: MdxResult): TextEdit[] {
  return rewritten.map(({ start, end, nodes }) => {
    const text = restore(writer.stringify({ type: 'root', children: nodes }).trimEnd());
    // If nothing remains of a block, the blank lines after it are removed too.
    const blanks = text === '' ? (/^[ \t]*\n*/.exec(body.slice(end))?.[0].length ?? 0) : 0;
    return { start: findLineStart(body, start), end: end + blanks, text };
  });
}

/** MDX 1 allowed HTML comments. Blanks in their place keep all positions. */
function blankComments(body: string): string {
  if (!body.includes('<!--')) return body;
  return body.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
}

/** MDX has no indented code, but Markdown would read a block indented by four columns as code. */
function isIndented(node: RootContent): boolean {
  return (node.position?.start.column ?? 1) > 4;
}

function findLineStart(body: string, offset: number): number {
  const lineStart = body.lastIndexOf('\n', offset - 1) + 1;
  return body.slice(lineStart, offset).trim() === '' ? lineStart : offset;
}

function describeFailure(error: unknown, bodyLine: number): { reason: string; line: number } {
  const { reason, line } = error as { reason?: string; line?: number };
  const known = reason?.replace(/ \(\d+:\d+-\d+:\d+\)/g, '');
  return { reason: known ?? 'it cannot be parsed', line: (line ?? 1) + bodyLine - 1 };
}

function buildWarning({ kind, source, line, column }: MdxLoss, bodyLine: number): Notice {
  const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source;
  const message =
    kind === 'expression'
      ? `The expression {${shown}} is not evaluated and is left out. Write its value into the article.`
      : `The component <${shown}> has no text of its own and is left out.`;
  return { code: `mdx_${kind}_removed`, message, path: 'content', line: line + bodyLine - 1, column };
}
