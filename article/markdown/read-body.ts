/** Reads a body: checks its limits, parses Markdown or MDX, makes links absolute. */
import type { Root } from 'mdast';
import { listLosses } from '../dialects/losses.ts';
import { isStackOverflow } from '../errors.ts';
import type { FieldNode } from '../frontmatter/field-node.ts';
import { parseMdx, rewriteBlocks } from '../mdx/parse-mdx.ts';
import { dropModuleLines, looksLikeMdx } from '../mdx/recognise-mdx.ts';
import type { Notice, Problem } from '../types.ts';
import { makeLinksAbsolute } from './addresses/absolute-links.ts';
import type { AddressBases } from './addresses/resolve-address.ts';
import { type Excess, findExcess } from './complexity.ts';
import { applyTextEdits } from './edits.ts';
import { findRemovedHtml } from './html/removed-html.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { MAX_WORK, MDX_FACTOR } from './weigh-line.ts';

export interface BodyOptions {
  bases: AddressBases;
  /** The line of the document on which the body begins. */
  bodyLine: number;
  fileName: string | undefined;
}

export type BodyResult = ({ ok: true } & ReadText) | { ok: false; problem: Problem };

/** `body` is plain Markdown and `tree` is its tree. */
export function readBody(source: string, options: BodyOptions): BodyResult {
  const leading = /^(?:[ \t]*\n)+/.exec(source)?.[0] ?? '';
  const text = source.slice(leading.length);
  const bodyLine = options.bodyLine + leading.split('\n').length - 1;
  const refuse = ({ message, line }: Excess) => refuseComplex(message, line + bodyLine - 1);
  const excess = findExcess(text);
  if (excess !== null) return refuse(excess);
  try {
    const isMdx = looksLikeMdx(text, options.fileName);
    const excessAsMdx = isMdx ? findExcess(text, { maxWork: MAX_WORK / MDX_FACTOR, isMdx: true }) : null;
    if (excessAsMdx !== null) return refuse(excessAsMdx);
    return {
      ok: true,
      ...(isMdx ? readMdx(text, options.bases, bodyLine) : readMarkdown(text, options.bases, bodyLine)),
    };
  } catch (error) {
    if (isStackOverflow(error)) return refuseComplex('The text is nested too deeply to be read.', bodyLine);
    throw error;
  }
}

interface ReadText {
  body: string;
  tree: Root;
  warnings: Notice[];
  /** The line of the document on which `body` begins; null if the body was rewritten (MDX). */
  bodyLine: number | null;
  /** Fields that an MDX document exports. */
  exported: [string, FieldNode][];
}

function readMarkdown(text: string, bases: AddressBases, bodyLine: number): ReadText {
  const tree = parseMarkdown(text);
  const { edits, warnings } = makeLinksAbsolute(tree, text, bases, bodyLine);
  const body = applyTextEdits(text, edits);
  return {
    body,
    tree,
    warnings: [...warnings, ...findRemovedHtml(tree, bodyLine), ...listLosses(tree, bodyLine)],
    bodyLine,
    exported: [],
  };
}

function readMdx(text: string, bases: AddressBases, bodyLine: number): ReadText {
  const parsed = parseMdx(text, bodyLine);
  if ('invalid' in parsed) {
    const { reason, line } = parsed.invalid;
    const message = `The text looks like MDX but is not valid MDX (line ${line}: ${reason}), so it is read as Markdown.`;
    const read = readMarkdown(dropModuleLines(text), bases, bodyLine);
    const { exported } = parsed;
    return {
      ...read,
      exported,
      warnings: [{ code: 'mdx_read_as_markdown', message, path: 'content', line }, ...read.warnings],
    };
  }
  const links = makeLinksAbsolute(parsed.tree, text, bases, bodyLine);
  const warnings = [...parsed.warnings, ...links.warnings, ...findRemovedHtml(parsed.tree, bodyLine)];
  const body = applyTextEdits(text, [...links.edits, ...rewriteBlocks(text, parsed)]).replace(/^\s*\n/, '');
  // Parsed again as Markdown, so that page and destinations show the same text.
  const tree = parseMarkdown(body);
  // Lines of this body differ from those of the document.
  for (const { line: _, ...loss } of listLosses(tree, 1)) warnings.push(loss);
  return { body, tree, warnings, bodyLine: null, exported: parsed.exported };
}

function refuseComplex(message: string, line: number): BodyResult {
  return { ok: false, problem: { path: 'content', code: 'too_complex', message, line, column: 1 } };
}
