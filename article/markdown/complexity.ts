/**
 * Cheap limits that are checked before the Markdown parser runs, because the parser is quadratic in unmatched emphasis,
 * underlined headings and footnotes, and recursive in nesting; what is linear is weighed. A text within the limits may
 * still be slow: in the API the document pool has a time limit as well, the CLI has none.
 */
import { MAX_WORK, weighLine, weighMarks } from './weigh-line.ts';

export interface Excess {
  /** Counts from 1 in the body. */
  line: number;
  message: string;
}

/** In UTF-16 units. No article is longer. */
export const MAX_BODY_LENGTH = 4 * 1024 * 1024;
const MAX_CONTAINERS = 100;
/** A list item this far to the right is as deep as `MAX_CONTAINERS` lists. */
const MAX_INDENT = 2 * MAX_CONTAINERS;
/** 3,000 unmatched runs of `*` or `_` cost a quarter of a second, and the cost is quadratic. */
const MAX_EMPHASIS_RUNS = 3_000;
const MAX_BRACKETS = 20_000;
/** Line ends within one paragraph are quadratic too, with a small factor. */
const MAX_LINES = 10_000;
const MAX_UNDERLINES = 1_000;
const MAX_FOOTNOTES = 1_000;
/** From each run of backticks the parser looks for its like, to the end of the paragraph. Runs of one length find each other. */
const MAX_TICK_LENGTHS = 20;
/** The parser fills each table row up to the number of columns in the head. */
const MAX_CELLS = 100_000;

const TOO_MUCH = 'The text has too many blocks, links and other marks to be read; publish it in parts.';

const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const MARKS = /[*_~]+|[[\]]|(?<!`)`+/g;

/** The first place where the body exceeds a limit, or null. */
export function findExcess(body: string, maxWork = MAX_WORK): Excess | null {
  if (body.length > MAX_BODY_LENGTH) {
    const size = Math.round(body.length / 1024);
    return {
      line: 1,
      message: `The body is too long: about ${size} KiB, at most ${MAX_BODY_LENGTH / 1024} KiB are read.`,
    };
  }
  const counts: Counts = {
    runs: 0,
    brackets: 0,
    lines: 0,
    underlines: 0,
    footnotes: 0,
    columns: 0,
    cells: 0,
    previous: '',
    ticks: new Set(),
  };
  const allowed = Math.max(maxWork, (body.length / 2 ** 20) * maxWork);
  let work = 0;
  let line = 0;
  let fence: string | null = null;
  for (let start = 0; start <= body.length; ) {
    const end = findLineEnd(body, start);
    line += 1;
    const container = skipContainers(body, start, end);
    if (container.depth > MAX_CONTAINERS || (container.isItem && container.indent > MAX_INDENT && fence === null)) {
      return { line, message: `Lists and quotations are nested more than ${MAX_CONTAINERS} deep.` };
    }
    const text = body.slice(container.offset, end);
    work += weighLine(text, {
      containers: container.depth,
      isAfterBlank: counts.previous === '',
      isCode: fence !== null,
    });
    const marker = readFenceMarker(body, container.offset, end);
    if (marker !== null && fence === null) fence = marker;
    else if (marker !== null && fence !== null && marker.startsWith(fence)) fence = null;
    else if (fence === null) {
      const message = countLine(counts, text, container.isItem);
      if (message !== null) return { line, message };
      work += weighMarks(text, counts);
    }
    if (work > allowed) return { line, message: TOO_MUCH };
    start = end + 1;
  }
  return null;
}

interface Counts {
  /** Of the current paragraph. */
  runs: number;
  brackets: number;
  lines: number;
  ticks: Set<number>;
  underlines: number;
  /** Of the whole text. */
  footnotes: number;
  /** Of the current table; 0 outside of one. */
  columns: number;
  cells: number;
  previous: string;
}

/** Adds a line of text to the counts. Returns a message if one of them is too high. */
function countLine(counts: Counts, text: string, isItem: boolean): string | null {
  const bare = text.trim();
  // Emphasis cannot cross paragraphs, so a blank line, a list item, a table row or a heading starts a new count.
  if (isItem || bare === '' || bare.startsWith('|') || bare.startsWith('#')) {
    counts.runs = 0;
    counts.brackets = 0;
    counts.lines = 0;
    if (counts.ticks.size > 0) counts.ticks.clear();
  }
  counts.lines += 1;
  if (bare === '') {
    counts.underlines = 0;
    counts.columns = 0;
  }
  if (/^(?:=+|-+)$/.test(bare) && !/^(?:=*|-*)$/.test(counts.previous)) counts.underlines += 1;
  if (/^\[\^[^\]]+\]:/.test(bare)) counts.footnotes += 1;
  if (/^[|:\s-]+$/.test(bare) && bare.includes('-') && bare.includes('|')) counts.columns = bare.split('|').length;
  else counts.cells += counts.columns;
  counts.previous = bare;
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '[' || mark === ']') counts.brackets += 1;
    else if (mark.startsWith('`')) counts.ticks.add(mark.length);
    else counts.runs += 1;
  }
  if (counts.runs > MAX_EMPHASIS_RUNS) return 'One paragraph has too many emphasis marks (* _ ~) to be read.';
  if (counts.brackets > MAX_BRACKETS) return 'One paragraph has too many square brackets to be read.';
  if (counts.ticks.size > MAX_TICK_LENGTHS)
    return 'One paragraph has code between backticks of too many lengths to be read.';
  if (counts.lines > MAX_LINES) return `A paragraph of more than ${MAX_LINES} lines is not read.`;
  if (counts.underlines > MAX_UNDERLINES) return 'Too many underlined headings follow each other without a blank line.';
  if (counts.footnotes > MAX_FOOTNOTES) return `More than ${MAX_FOOTNOTES} footnotes are not read.`;
  return counts.cells > MAX_CELLS ? `Tables of more than ${MAX_CELLS} cells are not read.` : null;
}

function findLineEnd(body: string, start: number): number {
  const end = body.indexOf('\n', start);
  return end === -1 ? body.length : end;
}

interface Containers {
  depth: number;
  /** Where the text of the line itself begins. */
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

function readFenceMarker(body: string, offset: number, end: number): string | null {
  let at = offset;
  while (at < end && (body[at] === ' ' || body[at] === '\t')) at += 1;
  const mark = body[at];
  if (mark !== '`' && mark !== '~') return null;
  let length = 0;
  while (body[at + length] === mark) length += 1;
  return length >= 3 ? mark.repeat(length) : null;
}
