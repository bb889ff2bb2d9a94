/**
 * Finds the blocks of a Markdown document (CommonMark with GFM tables and footnotes) and the start
 * of each of their lines. Formats of HTML platforms use remark's tree instead, if there is one.
 * Three reasons for a separate scanner:
 *
 * - Deliveries have only the body, and the API formats in other threads than it parses in. Parsing
 *   204 posts (2 MiB) again takes remark 1,256 ms and this scanner 26 ms. Dense text of 250 KB
 *   takes remark 4 s; 1 MiB takes it 47 s, and this scanner 0.16 s.
 * - remark has no limits. 40 KB of `*a_` take it 20 s (this scanner less than 1 ms); 200 KB of `> `
 *   overflow its stack.
 * - remark omits positions: where text begins after marks of quotes and lists, where a fence
 *   closes, which brackets are an address. Its tokens have them, but need more code and change with
 *   remark.
 *
 * Tests compare both over documents of every kind and over real posts, and they agree.
 */
import { HtmlBlockEnds } from '../../../article/markdown/html/html-block-ends.ts';
import type { Block, Span } from './block-types.ts';
import { type Container, MAX_DEPTH, matchContainer, readContainer } from './containers.ts';
import {
  closesFence,
  findHtmlBlockEnd,
  isDelimiterRow,
  type OpenFence,
  openFence,
  readFenceRun,
  splitCells,
} from './leaves.ts';
import { LineCursor, splitLines } from './lines.ts';

/** All blocks, ordered by where they begin. */
export function scanBlocks(source: string): Block[] {
  const scanner = new BlockScanner(source);
  for (const line of splitLines(source)) scanner.read(line);
  return scanner.blocks.filter((block) => block.kind !== 'paragraph' || block.lines.length > 0);
}

type Leaf =
  | { kind: 'paragraph'; block: Extract<Block, { kind: 'paragraph' }> }
  | { kind: 'table'; block: Extract<Block, { kind: 'table' }> }
  | { kind: 'indented'; block: Extract<Block, { kind: 'html' | 'indented' }> }
  | { kind: 'html'; block: Extract<Block, { kind: 'html' | 'indented' }>; until: RegExp | null }
  | OpenFence;

class BlockScanner {
  readonly blocks: Block[] = [];
  readonly #source: string;
  readonly #ends: HtmlBlockEnds;
  #containers: Container[] = [];
  #leaf: Leaf | null = null;

  constructor(source: string) {
    this.#source = source;
    this.#ends = new HtmlBlockEnds(source);
  }

  read(line: Span): void {
    const cursor = new LineCursor(this.#source, line);
    const matched = this.#matchContainers(cursor);
    const matchesAll = matched === this.#containers.length;
    if (matchesAll && this.#continueVerbatim(cursor)) {
      this.#extendFootnotes(line.end);
      return;
    }
    const opened = this.#openBlocks(cursor, line, matched);
    if (opened !== 'taken') this.#readText(cursor, opened === 'none', matched);
    if (!cursor.isBlank() || opened === 'taken') this.#extendFootnotes(line.end);
  }

  /** How many of the open containers the line continues. */
  #matchContainers(cursor: LineCursor): number {
    let matched = 0;
    for (const container of this.#containers) {
      if (!matchContainer(container, cursor)) break;
      matched += 1;
    }
    return matched;
  }

  /** Continues a fence, HTML or indented code: their lines are verbatim. True if one was open. */
  #continueVerbatim(cursor: LineCursor): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'fence') {
      if (closesFence(leaf.block, cursor)) {
        leaf.block.close = readFenceRun(cursor);
        this.#leaf = null;
      } else {
        cursor.skipColumns(leaf.indent);
        leaf.block.lines.push({ start: cursor.position, end: cursor.end });
      }
      leaf.block.end = cursor.end;
      return true;
    }
    if (leaf?.kind === 'html' && !(leaf.until === null && cursor.isBlank() && this.#canEnd(leaf.block, cursor))) {
      leaf.block.lines.push({ start: cursor.position, end: cursor.end });
      if (leaf.until?.test(cursor.rest())) this.#leaf = null;
      return true;
    }
    if (leaf?.kind === 'indented' && (cursor.isBlank() || cursor.indent() >= 4)) {
      cursor.skipColumns(4);
      leaf.block.lines.push({ start: cursor.position, end: cursor.end });
      return true;
    }
    return false;
  }

  #canEnd({ lines }: { lines: readonly Span[] }, { position }: LineCursor): boolean {
    return this.#ends.canEnd(lines[0]?.start ?? position, position);
  }

  /** Opens the containers that the line begins, then at most one block for its rest. */
  #openBlocks(cursor: LineCursor, line: Span, matched: number): 'taken' | 'container' | 'none' {
    let opened: 'container' | 'none' = 'none';
    while (!cursor.isBlank() && cursor.indent() < 4) {
      const interrupts = opened === 'none' && this.#isInParagraph() && matched === this.#containers.length;
      const block = this.#readLeafStart(cursor, line, interrupts);
      if (block) {
        if (opened === 'none') this.#closeTo(matched);
        this.#take(block, cursor);
        return 'taken';
      }
      const container = this.#containers.length < MAX_DEPTH ? readContainer(cursor, interrupts) : null;
      if (!container) break;
      if (opened === 'none') this.#closeTo(matched);
      this.#leaf = null;
      this.#containers.push(container);
      if (container.kind === 'footnote') this.blocks.push(container.block);
      opened = 'container';
    }
    return opened;
  }

  #readLeafStart(cursor: LineCursor, line: Span, interrupts: boolean): Block | Leaf | null {
    const rest = cursor.rest();
    const start = cursor.contentStart();
    const fence = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/.exec(rest);
    if (fence) return openFence(this.#source, cursor, line, (fence[1] ?? fence[3] ?? '').length);
    const heading = /^(#{1,6})(?:[ \t]+|$)/.exec(rest);
    if (heading) {
      const textStart = start + heading[0].length;
      const lines = [{ start: textStart, end: textStart + dropClosingMarks(rest.slice(heading[0].length)).length }];
      return {
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        lines,
        start,
        end: line.end,
        depth: this.#containers.length,
      };
    }
    if (interrupts && /^(?:=+|-+)[ \t]*$/.test(rest)) return this.#underline(rest, line.end);
    if (/^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(rest))
      return { kind: 'rule', start, end: line.end };
    const until = findHtmlBlockEnd(rest, interrupts);
    if (until === undefined || !this.#ends.canBegin(start)) return null;
    const block = { kind: 'html' as const, lines: [{ start, end: line.end }] };
    return until?.test(rest) ? block : { kind: 'html', block, until };
  }

  /** A paragraph becomes a heading when it is underlined. */
  #underline(rest: string, end: number): Block | null {
    if (this.#leaf?.kind !== 'paragraph') return null;
    const lines = this.#leaf.block.lines.splice(0);
    const start = lines[0]?.start ?? end;
    return { kind: 'heading', level: rest.startsWith('=') ? 1 : 2, lines, start, end, depth: this.#containers.length };
  }

  #take(block: Block | Leaf, cursor: LineCursor): void {
    this.#leaf = 'block' in block ? block : null;
    this.blocks.push('block' in block ? block.block : block);
    cursor.position = cursor.end;
  }

  /** The rest of the line is text of the open paragraph (also past a quote), or of a new one. */
  #readText(cursor: LineCursor, isSameBlock: boolean, matched: number): void {
    if (cursor.isBlank()) {
      if (isSameBlock) this.#closeTo(matched);
      this.#leaf = null;
      return;
    }
    const matchesAll = matched === this.#containers.length;
    const span = { start: cursor.contentStart(), end: cursor.end };
    if (isSameBlock && this.#leaf?.kind === 'paragraph') {
      if (matchesAll && this.#openTable(span)) return;
      this.#leaf.block.lines.push(span);
    } else if (isSameBlock && matchesAll && this.#leaf?.kind === 'table' && cursor.indent() < 4) {
      // Not spread into `push`: a line may hold more cells than a call accepts arguments.
      for (const cell of splitCells(this.#source, span)) this.#leaf.block.cells.push(cell);
    } else {
      if (isSameBlock) this.#closeTo(matched);
      this.#openText(cursor, span);
    }
  }

  #openText(cursor: LineCursor, span: Span): void {
    if (cursor.indent() >= 4) {
      cursor.skipColumns(4);
      const block = { kind: 'indented' as const, lines: [{ start: cursor.position, end: cursor.end }] };
      this.#leaf = { kind: 'indented', block };
      this.blocks.push(block);
    } else {
      const block = { kind: 'paragraph' as const, lines: [span], depth: this.#containers.length };
      this.#leaf = { kind: 'paragraph', block };
      this.blocks.push(block);
    }
  }

  /** The last line of a paragraph becomes a table's head when a matching delimiter row follows. */
  #openTable(span: Span): boolean {
    const head = this.#leaf?.kind === 'paragraph' ? this.#leaf.block.lines.at(-1) : undefined;
    if (!head || !isDelimiterRow(this.#source, head, span)) return false;
    if (this.#leaf?.kind === 'paragraph') this.#leaf.block.lines.pop();
    const block = { kind: 'table' as const, cells: splitCells(this.#source, head) };
    this.#leaf = { kind: 'table', block };
    this.blocks.push(block);
    return true;
  }

  #isInParagraph(): boolean {
    return this.#leaf?.kind === 'paragraph';
  }

  #closeTo(depth: number): void {
    if (depth < this.#containers.length) this.#leaf = null;
    this.#containers.length = Math.min(depth, this.#containers.length);
  }

  #extendFootnotes(end: number): void {
    for (const container of this.#containers) {
      if (container.kind === 'footnote') container.block.end = end;
    }
  }
}

/** `## Title ##` reads "Title". A regular expression would try every position. */
function dropClosingMarks(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end -= 1;
  const isMark = end === 0 || trimmed[end - 1] === ' ' || trimmed[end - 1] === '\t';
  return isMark ? trimmed.slice(0, end).trimEnd() : trimmed;
}
