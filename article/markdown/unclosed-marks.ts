/** Counts unclosed marks of a paragraph, for each of which the parser scans to its end. */

/** Comments, CDATA, instructions, declarations of inline HTML; titles of links in parentheses. */
const KINDS: readonly (readonly [begin: RegExp, end: string])[] = [
  [/<!--/g, '-->'],
  [/<!\[CDATA\[/g, ']]>'],
  [/<\?/g, '?>'],
  [/<![a-z]/gi, '>'],
  // Limits the length, because the pattern itself would take quadratic time.
  [/\]\(\s*[^\s)]{0,2000}\s+\(/g, '))'],
];
const MAY_BEGIN = /<[!?]|\]\(/;
/** The start of a link that may continue on the next line. */
const MAX_PENDING_LINK_LENGTH = 2_000;
const UNFINISHED_LINK = /^\]\(\s*[^\s()]*\s*$/;

/** State of the current paragraph. */
export interface UnclosedMarks {
  /** Unclosed marks by index in `KINDS`. */
  counts: number[];
  pendingLink: string;
}

export function createUnclosedMarks(): UnclosedMarks {
  return { counts: KINDS.map(() => 0), pendingLink: '' };
}

export function resetUnclosedMarks(marks: UnclosedMarks): void {
  marks.pendingLink = '';
  marks.counts.fill(0);
}

/** Adds a line of the paragraph. Returns the number of unclosed marks after it. */
export function countUnclosedMarks(marks: UnclosedMarks, line: string): number {
  if (marks.pendingLink === '' && marks.counts.every((count) => count === 0) && !MAY_BEGIN.test(line)) return 0;
  const text = marks.pendingLink === '' ? line : `${marks.pendingLink}\n${line}`;
  marks.counts = KINDS.map(([begin, end], kind) => {
    const endAt = text.lastIndexOf(end);
    const rest = endAt === -1 ? text : text.slice(endAt + end.length);
    return (endAt === -1 ? (marks.counts[kind] ?? 0) : 0) + (rest.match(begin)?.length ?? 0);
  });
  const last = text.slice(Math.max(text.lastIndexOf(']('), text.length - MAX_PENDING_LINK_LENGTH));
  marks.pendingLink = UNFINISHED_LINK.test(last) ? last : '';
  return marks.counts.reduce((sum, count) => sum + count, 0);
}
