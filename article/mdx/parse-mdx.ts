/**
 * MDX read without running it: ESM dropped, components replaced by their children, expressions never evaluated. What
 * comes out is plain Markdown; only the blocks that held MDX are written anew.
 */
import type { Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { isStackOverflow } from '../errors.ts';
import type { Edit } from '../markdown/absolute-links.ts';
import { keepDestinations } from '../markdown/parse-markdown.ts';
import type { Notice } from '../types.ts';
import { flattenMdx, type MdxLoss } from './flatten-mdx.ts';

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).use(keepDestinations).freeze();
const writer = unified().use(remarkGfm).use(remarkStringify, { bullet: '-', rule: '-', emphasis: '_' }).freeze();

export interface MdxReading {
  /** Without any node of MDX. */
  tree: Root;
  /** Blocks of the source that held MDX; to be written with `rewriteBlocks` once their links are absolute. */
  rewritten: { start: number; end: number; nodes: RootContent[] }[];
  warnings: Notice[];
}

/** Null where the text is no valid MDX; `reason` says why, with its line in the body. */
export function parseMdx(body: string, bodyLine: number): MdxReading | { invalid: { reason: string; line: number } } {
  let tree: Root;
  try {
    // HTML comments were right in MDX 1 and are in many files; blanks keep every position.
    tree = reader.parse(blankComments(body));
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    return { invalid: failureOf(error, bodyLine) };
  }
  const rewritten: MdxReading['rewritten'] = [];
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
  return { tree: { ...tree, children }, rewritten, warnings: losses.map((loss) => warningFor(loss, bodyLine)) };
}

/** The edits that put plain Markdown in the place of blocks that held MDX. */
export function rewriteBlocks(body: string, rewritten: MdxReading['rewritten']): Edit[] {
  return rewritten.map(({ start, end, nodes }) => {
    const text = writer.stringify({ type: 'root', children: nodes }).trimEnd();
    // A block without a rest takes the blank lines behind it along.
    const blanks = text === '' ? (/^[ \t]*\n*/.exec(body.slice(end))?.[0].length ?? 0) : 0;
    return { start: startOfLine(body, start), end: end + blanks, text };
  });
}

function blankComments(body: string): string {
  if (!body.includes('<!--')) return body;
  return body.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
}

/** MDX has no indented code: what is indented four columns there would be code in Markdown. */
function isIndented(node: RootContent): boolean {
  return (node.position?.start.column ?? 1) > 4;
}

function startOfLine(body: string, offset: number): number {
  const lineStart = body.lastIndexOf('\n', offset - 1) + 1;
  return body.slice(lineStart, offset).trim() === '' ? lineStart : offset;
}

function failureOf(error: unknown, bodyLine: number): { reason: string; line: number } {
  const { reason, line } = error as { reason?: string; line?: number };
  const plain = (reason ?? 'it cannot be parsed').replace(/ \(\d+:\d+-\d+:\d+\)/g, '');
  return { reason: plain, line: (line ?? 1) + bodyLine - 1 };
}

function warningFor({ what, source, line, column }: MdxLoss, bodyLine: number): Notice {
  const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source;
  const message =
    what === 'expression'
      ? `The expression {${shown}} is not evaluated and is left out; write its value into the text.`
      : `The component <${shown}> has no text of its own and is left out.`;
  return { code: `mdx_${what}_removed`, message, path: 'content', line: line + bodyLine - 1, column };
}
