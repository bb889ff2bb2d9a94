/**
 * Cheap limits checked before the parser runs, which is quadratic in unmatched marks, underlined
 * headings and footnotes, and recursive in nesting. The document pool limits time.
 */
import { createCodeDetector } from './indented-code.ts';
import { countUnclosedMarks, createUnclosedMarks, resetUnclosedMarks } from './unclosed-marks.ts';
import { MAX_WORK, weighContainers, weighLine, weighMarks } from './weigh-line.ts';

export interface Excess {
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

const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const MARKS = /\*+|_+|~+|[[\]]|(?<!`)`+/g;

export function findExcess(body: string, { maxWork = MAX_WORK, isMdx = false } = {}): Excess | null {
  if (body.length > MAX_BODY_LENGTH) return explainLength(body);
  const counts = createCounts();
  const hasDefinitions = body.includes(']:');
  const maxTotalWork = Math.max(maxWork, (body.length / 2 ** 20) * maxWork);
  const work = { containers: 0, blocks: 0, marks: 0 };
  const isIndentedCode = createCodeDetector();
  let line = 0;
  let fence: string | null = null;
  for (const source of body.split('\n')) {
    line += 1;
    const marked = skipContainers(source);
    // MDX has no indented code.
    const isIndented: boolean =
      !isMdx && fence === null && isIndentedCode({ text: source, isContained: marked.depth > 0 });
    const container = isIndented ? { depth: 0, offset: 0, indent: 0, isItem: false } : marked;
    if (container.depth > MAX_CONTAINERS || (container.isItem && container.indent > MAX_INDENT && fence === null)) {
      return { line, message: `Lists and quotations are nested more than ${MAX_CONTAINERS} deep.` };
    }
    const text = source.slice(container.offset);
    const isCode = fence !== null || isIndented;
    work.containers += weighContainers(container, isCode);
    const isAfterBlank: boolean = counts.previous === '';
    work.blocks += weighLine(text, { isInContainer: container.depth > 0, isAfterBlank, isCode });
    if (!isIndented) fence = followFence(fence, text);
    if (isIndented) endParagraph(counts);
    else if (!isCode && fence === null) {
      const message = countLine(counts, text, { ...container, lead: source.slice(0, container.offset) });
      if (message !== null) return { line, message };
      work.marks += weighMarks(text, { ...counts, hasDefinitions });
    }
    if (work.containers + work.blocks + work.marks > maxTotalWork) return { line, message: explainWork(work) };
  }
  return null;
}

function explainLength({ length }: string): Excess {
  const [size, maximum] = [Math.round(length / 1024), MAX_BODY_LENGTH / 1024];
  return { line: 1, message: `The body is too long: about ${size} KiB; the maximum is ${maximum} KiB.` };
}

/** The mark that opened the code block in which the next line is; null outside of one. */
function followFence(fence: string | null, text: string): string | null {
  const mark = /^[ \t]*(`{3,}|~{3,})/.exec(text)?.[1];
  if (mark === undefined || fence === null) return mark ?? fence;
  return mark.startsWith(fence) ? null : fence;
}

function explainWork(work: Record<keyof typeof KINDS, number>): string {
  const [heaviest] = (Object.keys(KINDS) as (keyof typeof KINDS)[]).sort((a, b) => work[b] - work[a]);
  return `The article is too complex, mainly because of its ${heaviest && KINDS[heaviest]}. Publish it in parts.`;
}

type Counts = ReturnType<typeof createCounts>;

function createCounts() {
  return {
    runs: 0,
    brackets: 0,
    lines: 0,
    ticks: new Set<number>(),
    unclosedMarks: createUnclosedMarks(),
    underlines: 0,
    footnotes: 0,
    /** Columns of the current table; 0 outside of one. */
    columns: 0,
    tableDepth: 0,
    cells: 0,
    previous: '',
    isInList: false,
  };
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
 * outside of a table, an item outside of a list with a number other than 1.
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

/** The containers that a line starts or continues, `indent` blanks after its start. */
function skipContainers(line: string): { depth: number; offset: number; indent: number; isItem: boolean } {
  const found = { depth: 0, offset: 0, indent: 0, isItem: false };
  CONTAINER.lastIndex = 0;
  while (found.depth <= MAX_CONTAINERS && CONTAINER.test(line)) {
    found.offset = CONTAINER.lastIndex;
    if (found.depth === 0) found.indent = found.offset - 1;
    found.depth += 1;
    found.isItem ||= line[found.offset - 1] !== '>';
  }
  return found;
}
