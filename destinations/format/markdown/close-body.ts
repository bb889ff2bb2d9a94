/** Closes raw HTML within its block: a platform's parser would let a tag extend further. */
import { isEscaped } from '../../../article/dialects/spans.ts';
import { applyTextEdits, type TextEdit } from '../../../article/markdown/edits.ts';
import { closeHtml, type HtmlPiece } from '../../../article/markdown/html/close-html.ts';
import type { Block } from './block-types.ts';
import { scanBlocks } from './blocks.ts';
import type { Region } from './inline.ts';
import { findMarks, maskMarks } from './marks.ts';
import { insertAfter, insertBefore, type Prose, RegionCursor, readProse, replaceProse } from './prose.ts';

/** Returns `body` unchanged if its HTML is closed. */
export function closeBody(body: string): string {
  if (!/<[a-z/!?]/i.test(body)) return body;
  // Formulas and tags that a platform runs contain no HTML.
  const { formulas, tags, foreign } = findMarks(body);
  const source = maskMarks(body, formulas, [...tags, ...foreign]);
  const blocks = scanBlocks(source);
  const proses = [...readProse(source, blocks)];
  const pieces = listSourcePieces(blocks, proses);
  const { edits, tails } = closeHtml(pieces);
  return applyTextEdits(body, [
    ...proses.flatMap(escapeStarts),
    ...edits.flatMap(({ piece, ...edit }) => locate(pieces[piece] as Piece, edit)),
    ...tails.map(({ piece, text }) => appendTo((pieces[piece] as Piece).prose, text)),
  ]);
}

/** A piece begins at `offset` in its prose. */
type Piece = HtmlPiece & { prose: Prose; offset: number };

function listSourcePieces(blocks: readonly Block[], proses: readonly Prose[]): Piece[] {
  const pieces: Piece[] = [];
  const positions = new Map<unknown, number>(blocks.map((block, index) => [block, index]));
  let scope = 0;
  let previous = -1;
  for (const prose of proses) {
    const isBlock = prose.block.kind === 'html';
    const position = positions.get(prose.block) ?? 0;
    // Blocks of HTML that follow each other share a scope.
    const isAdjacent = isBlock && position === previous + 1 && blocks[previous]?.kind === 'html';
    if (!isAdjacent) scope += 1;
    previous = position;
    if (isBlock) pieces.push({ prose, offset: 0, value: prose.text, isBlock, scope });
    const definitions = new RegionCursor(listDefinitions(prose.text));
    for (const { kind, start, end } of prose.regions) {
      if (kind !== 'html' || definitions.findRegion(start) !== null) continue;
      pieces.push({ prose, offset: start, value: prose.text.slice(start, end), isBlock, scope });
    }
  }
  return pieces;
}

/** The scanner reads link definitions as paragraphs. Their addresses may have angle brackets. */
function listDefinitions(text: string): Region[] {
  return [...text.matchAll(/(?<=^|\n)(\[[^\]\n]{1,999}\]:)[^\n]*/g)].map(({ 0: line, 1: label = '', index }) => {
    return { kind: 'url', start: index + label.length, end: index + line.length };
  });
}

const RAW_ELEMENT = /^<(?:script|pre|style|textarea)(?=[\s/]).*\/>$/is;

/**
 * Escapes text that a platform would read as the start of an HTML block, a comment or a tag. Puts
 * `<wbr>` before a self-closing `<script />` at the start of a line, because its added end tag
 * would turn the Markdown after it into HTML.
 */
function escapeStarts(prose: Prose): TextEdit[] {
  const { block, regions, text } = prose;
  if (block.kind === 'html' || block.kind === 'indented') return [];
  const walk = new RegionCursor(regions);
  return [...text.matchAll(/<(?=[!?/])|(?<=^|\n)<(?=[a-z])/gi)].flatMap(({ index }) => {
    const region = walk.findRegion(index);
    if (region === null) return isEscaped(text, index) ? [] : [replaceProse(prose, index, index + 1, '&lt;')];
    const isStart = region.start === index && RAW_ELEMENT.test(text.slice(index, region.end));
    return isStart && /[^\n]/.test(text.charAt(region.end)) ? [insertBefore(prose, index, '<wbr>')] : [];
  });
}

/** Returns an edit for each line, because marks of quotes and lists are between the lines. */
function locate({ prose, offset, value }: Piece, { start, end, text }: TextEdit): TextEdit[] {
  if (start === end) return [appendTo(prose, text)];
  const written = text.split('\n');
  let at = offset + start;
  return value
    .slice(start, end)
    .split('\n')
    .flatMap((line, index) => {
      const from = at;
      at += line.length + 1;
      return line === '' ? [] : [replaceProse(prose, from, from + line.length, written[index] ?? '')];
    });
}

function appendTo(prose: Prose, text: string): TextEdit {
  return insertAfter(prose, prose.text.length, text);
}
