/**
 * Cheap limits checked before the parser runs, which is quadratic in unmatched marks, underlined
 * headings and footnotes, and recursive in nesting. The document pool limits time.
 */
import { createCodeDetector } from './indented-code.ts';
import { countUnclosedMarks, createUnclosedMarks, resetUnclosedMarks, type UnclosedMarks } from './unclosed-marks.ts';
import { MAX_WORK, weighContainers, weighLine, weighMarks } from './weigh-line.ts';

export interface Excess {
  /** Counts from 1 in the body. */
  line: number;
  message: string;
}

/** In UTF-16 units. No article is longer. */
const MAX_BODY_LENGTH = 4 * 1024 * 1024;
const MAX_CONTAINERS = 100;
/** A list item this far to the right is as deep as `MAX_CONTAINERS` lists. */
const MAX_INDENT = 2 * MAX_CONTAINERS;
/** 3,000 unmatched runs of `*` or `_` cost a quarter of a second, and the cost is quadratic. */
const MAX_EMPHASIS_RUNS = 3_000;
const MAX_BRACKETS = 20_000;
/** Line ends within one paragraph are quadratic too, with a small factor. */
const MAX_LINES = 10_000;
const MAX_UNDERLINES = 1_000;
const MAX_FOOTNOTES = 5_000;
/** For each run of backticks the parser scans the paragraph for one of equal length. */
const MAX_TICK_LENGTHS = 20;
/** 20 in a paragraph of 1 MiB cost the parser a second, and 50,000 of them minutes. */
const MAX_UNCLOSED_MARKS = 20;
/** 60,000 cells cost three seconds. The parser fills rows up to the columns of the head. */
const MAX_CELLS = 60_000;

/** Kinds of work, as messages name them. */
const KINDS = {
  containers: 'list items and quoted lines',
  blocks: 'paragraphs, headings and other blocks',
  marks: 'links, formulas, emphasis and other marks',
};

const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const MARKS = /[*_~]+|[[\]]|(?<!`)`+/g;

/** The first place where the body exceeds a limit, or null. */
export function findExcess(body: string, { maxWork = MAX_WORK, isMdx = false } = {}): Excess | null {
  if (body.length > MAX_BODY_LENGTH) return explainLength(body);
  const counts: Counts = {
    runs: 0,
    brackets: 0,
    lines: 0,
    underlines: 0,
    footnotes: 0,
    columns: 0,
    tableDepth: 0,
    cells: 0,
    previous: '',
    ticks: new Set(),
    unclosedMarks: createUnclosedMarks(),
    isInList: false,
  };
  const hasDefinitions = body.includes(']:');
  const maxTotalWork = Math.max(maxWork, (body.length / 2 ** 20) * maxWork);
  const work: Work = { containers: 0, blocks: 0, marks: 0 };
  const isIndentedCode = createCodeDetector();
  let line = 0;
  let fence: string | null = null;
  for (let start = 0; start <= body.length; ) {
    const end = findLineEnd(body, start);
    line += 1;
    const lineContainers = skipContainers(body, start, end);
    // MDX has no indented code.
    const isIndented =
      !isMdx &&
      fence === null &&
      isIndentedCode({ text: body.slice(start, end), isContained: lineContainers.depth > 0 });
    const container = isIndented ? containNothing(start) : lineContainers;
    if (container.depth > MAX_CONTAINERS || (container.isItem && container.indent > MAX_INDENT && fence === null)) {
      return { line, message: `Lists and quotations are nested more than ${MAX_CONTAINERS} deep.` };
    }
    const text = body.slice(container.offset, end);
    const isCode = fence !== null || isIndented;
    work.containers += weighContainers(container, isCode);
    work.blocks += weighLine(text, {
      isInContainer: container.depth > 0,
      isAfterBlank: counts.previous === '',
      isCode,
    });
    const marker = isIndented ? null : readFenceMarker(body, container.offset, end);
    fence = followFence(fence, marker);
    if (isIndented) endParagraph(counts);
    else if (!isCode && fence === null) {
      const message = countLine(counts, text, { ...container, lead: body.slice(start, container.offset) });
      if (message !== null) return { line, message };
      work.marks += weighMarks(text, { ...counts, hasDefinitions });
    }
    if (sum(work) > maxTotalWork) return { line, message: explainWork(work) };
    start = end + 1;
  }
  return null;
}

function explainLength(body: string): Excess {
  const size = Math.round(body.length / 1024);
  return {
    line: 1,
    message: `The body is too long: about ${size} KiB; the maximum is ${MAX_BODY_LENGTH / 1024} KiB.`,
  };
}

type Work = Record<keyof typeof KINDS, number>;

function sum({ containers, blocks, marks }: Work): number {
  return containers + blocks + marks;
}

function explainWork(work: Work): string {
  const [heaviest] = (Object.keys(KINDS) as (keyof Work)[]).sort((a, b) => work[b] - work[a]);
  return `The article is too complex, mainly because of its ${KINDS[heaviest as keyof Work]}. Publish it in parts.`;
}

interface Counts {
  /** Counts of the current paragraph. */
  runs: number;
  brackets: number;
  lines: number;
  ticks: Set<number>;
  unclosedMarks: UnclosedMarks;
  underlines: number;
  /** Count of the entire text. */
  footnotes: number;
  /** Columns of the current table; 0 outside of one. */
  columns: number;
  tableDepth: number;
  cells: number;
  previous: string;
  isInList: boolean;
}

function endParagraph(counts: Counts): void {
  resetUnclosedMarks(counts.unclosedMarks);
  counts.runs = 0;
  counts.brackets = 0;
  counts.lines = 0;
  if (counts.ticks.size > 0) counts.ticks.clear();
}

/** Adds a line of text to the counts. Returns a message if one of them is too high. */
function countLine(counts: Counts, text: string, start: LineStart): string | null {
  const bare = text.trim();
  if (endsParagraph(counts, text, start)) endParagraph(counts);
  counts.lines += 1;
  if (bare === '') counts.underlines = 0;
  if (/^(?:=+|-+)$/.test(bare) && !/^(?:=*|-*)$/.test(counts.previous)) counts.underlines += 1;
  if (/^\[\^[^\]]+\]:/.test(bare)) counts.footnotes += 1;
  const columns = countColumns(bare, counts.previous);
  if (columns > 0) {
    counts.columns = columns;
    counts.tableDepth = start.depth;
    endParagraph(counts);
  } else counts.cells += counts.columns;
  counts.previous = bare;
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '[' || mark === ']') counts.brackets += 1;
    else if (mark.startsWith('`')) counts.ticks.add(mark.length);
    else counts.runs += 1;
  }
  if (countUnclosedMarks(counts.unclosedMarks, text) > MAX_UNCLOSED_MARKS)
    return 'One paragraph has too many unclosed comments, tags or link titles.';
  if (counts.runs > MAX_EMPHASIS_RUNS) return 'One paragraph has too many emphasis marks (* _ ~).';
  if (counts.brackets > MAX_BRACKETS) return 'One paragraph has too many square brackets.';
  if (counts.ticks.size > MAX_TICK_LENGTHS)
    return 'One paragraph has code between backticks of too many different lengths.';
  if (counts.lines > MAX_LINES) return `One paragraph has more than ${MAX_LINES} lines, which is the maximum.`;
  if (counts.underlines > MAX_UNDERLINES) return 'Too many underlined headings follow each other without a blank line.';
  if (counts.footnotes > MAX_FOOTNOTES)
    return `The article has more than ${MAX_FOOTNOTES} footnotes, which is the maximum. Publish it in parts.`;
  return counts.cells > MAX_CELLS
    ? `The article has more than ${MAX_CELLS} table cells, which is the maximum. Publish it in parts, or offer the table as a file to download.`
    : null;
}

/** The containers and indentation before the text of a line. */
interface LineStart {
  depth: number;
  isItem: boolean;
  /** Indentation and the markers of items and quotations. */
  lead: string;
}

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const BREAK = /^(?:[-*_]\s*){3,}$/;

/**
 * A blank line, an item, a table row or a heading ends emphasis. These do not: `#tag`, a row
 * outside of a table, an item outside of a list whose number is not 1.
 */
function endsParagraph(counts: Counts, text: string, { depth, isItem, lead }: LineStart): boolean {
  const isBlank = text.trim() === '';
  const isAfterBlank = counts.previous === '';
  if (isItem) counts.isInList ||= isAfterBlank || /[-*+]|(?<!\d)0*1[.)]/.test(lead);
  else if (isAfterBlank && !isBlank && !/^\s/.test(lead + text)) counts.isInList = false;
  const isHeading = HEADING.test(text);
  if (isBlank || isHeading || depth !== counts.tableDepth || BREAK.test(text.trim())) counts.columns = 0;
  return isBlank || isHeading || counts.columns > 0 || (isItem && counts.isInList);
}

/** Returns the columns of the table that starts with this delimiter row; 0 if it starts none. */
function countColumns(row: string, head: string): number {
  if (!/^[|:\s-]+$/.test(row) || !row.includes('-') || !row.includes('|')) return 0;
  const cells = countCells(row);
  return cells === countCells(head) ? cells : 0;
}

function countCells(row: string): number {
  return row.replace(/^\||(?<!\\)\|$/g, '').split(/(?<!\\)\|/).length;
}

function findLineEnd(body: string, start: number): number {
  const end = body.indexOf('\n', start);
  return end === -1 ? body.length : end;
}

interface Containers {
  depth: number;
  /** The offset at which the text of the line begins. */
  offset: number;
  /** Blanks before the first marker. */
  indent: number;
  isItem: boolean;
}

function skipContainers(body: string, start: number, end: number): Containers {
  let depth = 0;
  let offset = start;
  let isItem = false;
  let indent = 0;
  CONTAINER.lastIndex = start;
  while (depth <= MAX_CONTAINERS && CONTAINER.test(body) && CONTAINER.lastIndex <= end) {
    if (depth === 0) indent = CONTAINER.lastIndex - start - 1;
    depth += 1;
    offset = CONTAINER.lastIndex;
    isItem ||= body[offset - 1] !== '>';
  }
  return { depth, offset: Math.min(offset, end), indent, isItem };
}

function followFence(fence: string | null, marker: string | null): string | null {
  if (marker === null) return fence;
  if (fence === null) return marker;
  return marker.startsWith(fence) ? null : fence;
}

function containNothing(offset: number): Containers {
  return { depth: 0, offset, indent: 0, isItem: false };
}

function readFenceMarker(body: string, offset: number, end: number): string | null {
  let at = offset;
  while (at < end && (body[at] === ' ' || body[at] === '\t')) at += 1;
  const mark = body[at];
  if (mark !== '`' && mark !== '~') return null;
  let length = 0;
  while (body[at + length] === mark) length += 1;
  return length >= 3 ? mark.repeat(length) : null;
}
