/**
 * Indents lines that continue a quoted value or a list in brackets. YAML requires them deeper than
 * their key. js-yaml and PyYAML accept them at column 1, so authors write them there. The `yaml`
 * library has no option for it.
 */

import { hasFieldLine } from '../field-line.ts';

export interface IndentedSource {
  source: string;
  /** The number of blanks added to each line, by its index from 0. */
  added: number[];
}

/** Null if no line needs it, or if a quote or a bracket is never closed. */
export function indentContinuations(source: string): IndentedSource | null {
  const lines = source.split('\n');
  const added = findContinuations(lines);
  if (added === null || added.every((count) => count === 0)) return null;
  return { source: lines.map((line, index) => ' '.repeat(added[index] ?? 0) + line).join('\n'), added };
}

/** The state of the scanner within a value that spans several lines. */
interface Open {
  quote: '"' | "'" | null;
  brackets: number;
  /** Deeper than the key of the value. */
  indent: number;
}

function findContinuations(lines: string[]): number[] | null {
  const added: number[] = [];
  const open: Open = { quote: null, brackets: 0, indent: 0 };
  /** Deeper lines belong to a `|` or `>` block. */
  let block: number | null = null;
  for (const line of lines) {
    const depth = line.search(/\S/);
    if (block !== null && (depth === -1 || depth > block)) {
      added.push(0);
      continue;
    }
    block = null;
    const isContinuation = open.quote !== null || open.brackets > 0;
    // A forgotten quote is more likely than a text with a field at the start of a line.
    if (open.quote !== null && hasFieldLine(line)) return null;
    added.push(isContinuation && depth !== -1 ? open.indent : 0);
    scanLine(line, open);
    if (open.quote === null && open.brackets === 0 && BLOCK_START.test(line)) block = depth;
  }
  return open.quote === null && open.brackets === 0 ? added : null;
}

const BLOCK_START = /(?:^|[:\-?][ \t]+|[ \t][&!]\S*[ \t]+)[|>][-+0-9]*[ \t]*(?:#.*)?$/;
/** Precedes a value: indentation, anchors and tags, list dashes. */
const BEFORE_VALUE = /(?:[ \t]+|[&!][^\s,[\]{}]*(?=\s|$)|[-?](?=[ \t]))/y;
/** An unquoted text up to its end, outside and inside brackets. */
const PLAIN = /(?:[^\s:#]|:(?=\S)|[ \t]+(?![#\s])|(?<=\S)#)+/y;
const PLAIN_IN_BRACKETS = /(?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}])|[ \t]+(?![#\s])|(?<=\S)#)+/y;

function scanLine(line: string, open: Open): void {
  let at = 0;
  while (at < line.length) {
    if (open.quote !== null) {
      at = findQuoteEnd(line, at, open.quote);
      if (at <= line.length) open.quote = null;
      continue;
    }
    const before = measureMatch(BEFORE_VALUE, line, at);
    if (before > 0) at += before;
    else if (line.charAt(at) === '#') return;
    else if (readDelimiter(line.charAt(at), at, open)) at += 1;
    else at += measureMatch(open.brackets > 0 ? PLAIN_IN_BRACKETS : PLAIN, line, at) || 1;
  }
}

/** The length of the sticky pattern's match at `at`; 0 without a match. */
function measureMatch(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0].length ?? 0;
}

/** Updates `open`. True if the character opens a quote, or opens or closes a bracket. */
function readDelimiter(character: string, at: number, open: Open): boolean {
  const isQuote = character === '"' || character === "'";
  const isOpening = character === '[' || character === '{';
  if ((isQuote || isOpening) && open.brackets === 0) open.indent = Math.max(at, 1);
  if (isQuote) open.quote = character;
  else if (isOpening) open.brackets += 1;
  else if (open.brackets > 0 && (character === ']' || character === '}')) open.brackets -= 1;
  else return false;
  return true;
}

/** The offset after the closing quote; beyond the end of the line if it is not on this line. */
function findQuoteEnd(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote === '"' && character === '\\') at += 1;
    else if (character === quote) {
      if (quote === '"' || line.charAt(at + 1) !== quote) return at + 1;
      at += 1;
    }
  }
  return line.length + 1;
}
