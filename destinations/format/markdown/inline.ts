/** Finds code spans, addresses and HTML tags in a text. One pass, no nesting. */
import type { Span } from './block-types.ts';
import { buildTagPattern } from './leaves.ts';

export interface Region extends Span {
  kind: 'code' | 'url' | 'html';
}

/** Text of several source lines, with a mapping to source positions. */
export interface InlineText {
  text: string;
  toSource: (index: number) => number;
}

export function joinLines(source: string, lines: readonly Span[]): InlineText {
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.end - line.start + 1;
  }
  const toSource = (index: number): number => {
    const at = findLastAtMost(starts, index);
    return (lines[at]?.start ?? 0) + index - (starts[at] ?? 0);
  };
  return { text: lines.map((line) => source.slice(line.start, line.end)).join('\n'), toSource };
}

/** Regions in order, by index into the text. They do not overlap. */
export function scanInline(text: string): Region[] {
  const regions: Region[] = [];
  const closers = new Closers(text);
  const special = /[`\\<]|\]\(|https?:\/\/|\bwww\./gi;
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const start = match.index;
    const region = readRegion(text, start, match[0], closers);
    if (region) {
      if (region.kind !== 'skip') regions.push({ kind: region.kind, start: region.start, end: region.end });
      special.lastIndex = region.end;
    }
  }
  return regions;
}

type Found = { kind: Region['kind'] | 'skip'; start: number; end: number };

function readRegion(text: string, start: number, mark: string, closers: Closers): Found | null {
  if (mark === '\\') return { kind: 'skip', start, end: start + 2 };
  if (mark === '`') return readCode(text, start, closers);
  if (mark === '<') return readAngle(text, start, closers);
  if (mark === '](') return readTarget(text, start + mark.length, closers);
  return { kind: 'url', start, end: start + matchAt(/[^\s<>`)\]"']+/y, text, start).length };
}

/** Reads the address of a link. An address with spaces or without an end is ordinary text. */
function readTarget(text: string, start: number, closers: Closers): Found | null {
  if (start < closers.noTargetBefore) return null;
  const end = start + matchAt(/\s*(?:<[^<>\n]*>|[^\s)]*)/y, text, start).length;
  if (matchAt(/\)|\s+["'()]/y, text, end) !== '') return { kind: 'url', start, end };
  // A target that begins before this index ends at the same index.
  closers.noTargetBefore = end;
  return null;
}

function readCode(text: string, start: number, closers: Closers): Found {
  const length = matchAt(/`+/y, text, start).length;
  const close = closers.findBackticks(length, start + length);
  if (close === null) return { kind: 'skip', start, end: start + length };
  return { kind: 'code', start, end: close + length };
}

function readAngle(text: string, start: number, closers: Closers): Found | null {
  const autolink = matchAt(/<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+)>/iy, text, start);
  if (autolink) return { kind: 'url', start, end: start + autolink.length };
  const tag = matchAt(buildTagPattern(), text, start);
  if (tag) return { kind: 'html', start, end: start + tag.length };
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<?', '?>'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    const end = text.startsWith(open, start) ? closers.findMark(close, start + open.length) : null;
    if (end !== null) return { kind: 'html', start, end: end + close.length };
  }
  return null;
}

/** Finds where regions close. A search from every opener would be quadratic. */
class Closers {
  noTargetBefore = 0;
  readonly #text: string;
  #runs: Map<number, number[]> | null = null;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  findBackticks(length: number, from: number): number | null {
    this.#runs ??= findBacktickRuns(this.#text);
    const starts = this.#runs.get(length) ?? [];
    // In reverse order, so that runs before `from` can be popped.
    while (starts.length > 0 && (starts.at(-1) ?? 0) < from) starts.pop();
    return starts.at(-1) ?? null;
  }

  findMark(mark: string, from: number): number | null {
    if (this.#missing.has(mark)) return null;
    const at = this.#text.indexOf(mark, from);
    if (at === -1) this.#missing.add(mark);
    return at === -1 ? null : at;
  }
}

function findBacktickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts) starts.push(index);
    else runs.set(run.length, [index]);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

function findLastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
