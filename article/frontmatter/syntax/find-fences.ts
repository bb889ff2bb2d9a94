/**
 * Finds YAML between dashes, TOML between pluses, JSON between semicolons or in bare braces.
 * Comments or blank lines may precede it, and the opening fence may be missing (Hexo).
 */
import type { Problem } from '../../types.ts';
import { hasFieldLine, hasLowerCaseFieldLine, isDistinctiveKeyLine, isKeyLine } from '../field-line.ts';
import { findUnreadFrontmatter } from './find-unread.ts';

/** The place of the frontmatter in a text with `\n` line ends. Lines count from 0. */
export interface Fences {
  language: 'yaml' | 'toml' | 'json';
  /** The lines of the fields, `end` excluded. */
  start: number;
  end: number;
  body: number;
  /** `---` and `+++` in the first line, even if broken. Other forms must begin with a key. */
  isUsual: boolean;
}

export type FoundFences = Fences | null | { problem: Problem };

/** Lines that are searched where nothing marks the end of the frontmatter. */
const MAX_LINES = 2_000;

/** The fences, null without frontmatter, or the reason why its form is rejected. */
export function findFences(lines: string[]): FoundFences {
  const top = lines.findIndex((line) => line.trim() !== '');
  if (top === -1) return null;
  const first = skipComments(lines, top);
  const found = findFenced(lines, first, first === top) ?? findBraces(lines, first) ?? findUnopened(lines, first);
  if (found !== null) return found;
  const problem = findUnreadFrontmatter(lines, { top, first });
  return problem === null ? null : { problem };
}

const OPENER = /^ {0,3}(-{3,}|\+{3,}|;{3,})(.*)$/;
const CLOSERS = { '-': /^-{3,}(?:[ \t]+#.*|[ \t]*)$/, '+': /^\+{3,}[ \t]*$/, ';': /^;{3,}[ \t]*$/ };
const LANGUAGE = /^[A-Za-z][\w.+-]*$/;
const LANGUAGES: Record<string, Fences['language']> = { yaml: 'yaml', yml: 'yaml', toml: 'toml', json: 'json' };

function findFenced(lines: string[], open: number, isFirst: boolean): FoundFences {
  const fence = OPENER.exec(lines[open] ?? '');
  const suffix = readFenceSuffix(fence?.[2] ?? '');
  if (fence?.[1] === undefined || suffix === null) return null;
  const mark = fence[1].charAt(0) as keyof typeof CLOSERS;
  const isUsual = isFirst && mark !== ';' && fence[1].length === 3;
  const close = lines.findIndex((line, index) => index > open && isCloser(line, mark));
  const named = suffix.toLowerCase();
  if (named !== '' && LANGUAGES[named] === undefined) {
    if (close === -1) return null;
    return refuse(`Frontmatter in "${named}" is not supported. Write YAML between --- or TOML between +++.`, open);
  }
  if (close === -1) {
    if (!looksUnclosed(lines, open + 1, isUsual)) return null;
    return refuse(
      `The frontmatter that begins on line ${open + 1} is not closed. End it with a line of ${fence[1]}.`,
      open,
    );
  }
  if (!isUsual && !beginsWithKey(lines.slice(open + 1, close))) return null;
  const language = mark === '+' ? 'toml' : mark === ';' ? 'json' : LANGUAGES[named || 'yaml'];
  return { language: language ?? 'yaml', start: open + 1, end: close, body: close + 1, isUsual };
}

/** The language after a fence; '' for a comment or nothing, null for any other text. */
function readFenceSuffix(text: string): string | null {
  const comment = text.search(/[ \t]#/);
  const name = (comment === -1 ? text : text.slice(0, comment)).trim();
  return name === '' || LANGUAGE.test(name) ? name : null;
}

function isCloser(line: string, mark: keyof typeof CLOSERS): boolean {
  return CLOSERS[mark].test(line) || (mark === '-' && /^\.\.\.[ \t]*$/.test(line));
}

function looksUnclosed(lines: string[], start: number, isUsual: boolean): boolean {
  const rest = lines.slice(start, start + MAX_LINES);
  const filled = rest.findIndex((line) => line.trim() !== '');
  if (filled === -1) return false;
  if (!isUsual) return filled === 0 && hasFieldLine(rest[0] ?? '');
  if (filled === 0 && /^["']?[\w-]+["']?[ \t]*[:=]/.test(rest[0] ?? '')) return true;
  const end = rest.findIndex((line, index) => index > filled && line.trim() === '');
  const block = rest.slice(filled, end === -1 ? undefined : end).join('\n');
  return hasFieldLine(block) || hasLowerCaseFieldLine(rest.join('\n'));
}

/** True if the first line that is neither blank nor a comment is a key, a brace or a TOML table. */
function beginsWithKey(lines: string[]): boolean {
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return first !== undefined && (isKeyLine(first) || /^\s*(?:\{|\[[\w."' -]+\]\s*$)/.test(first));
}

/** Hugo's JSON: an object at the very beginning, without fences. */
function findBraces(lines: string[], open: number): FoundFences {
  if (!/^\s*\{/.test(lines[open] ?? '')) return null;
  const text = lines.slice(open, open + MAX_LINES).join('\n');
  if (!isJsonStart(text)) return null;
  const end = findJsonEnd(text);
  if (end === null)
    return refuse(`The JSON that begins on line ${open + 1} is not closed. End it with a line of }.`, open);
  const close = open + text.slice(0, end).split('\n').length;
  const rest = /^[^\n]*/.exec(text.slice(end))?.[0] ?? '';
  if (rest.trim() !== '') return refuse(`Text after the JSON frontmatter must start on a new line.`, close - 1);
  return { language: 'json', start: open, end: close, body: close, isUsual: false };
}

/** Hexo needs no opening fence. A line above dashes is a heading, unless its key is `title`. */
function findUnopened(lines: string[], start: number): FoundFences {
  if (!isDistinctiveKeyLine(lines[start])) return null;
  const limit = Math.min(lines.length, start + MAX_LINES);
  for (let at = start + 1; at < limit; at += 1) {
    const line = lines[at] ?? '';
    if (/^(?:-{3,}|;{3,})[ \t]*$/.test(line)) {
      const language = line.startsWith(';') ? 'json' : 'yaml';
      const isHeading = language === 'yaml' && at === start + 1 && !/^["']?title["']?[ \t]*:/i.test(lines[start] ?? '');
      if (isHeading) return null;
      return { language, start, end: at, body: at + 1, isUsual: false };
    }
    if (!/^(?:\s|#|-[ \t]|[\]}]|$)/.test(line) && !isKeyLine(line)) return null;
  }
  return null;
}

/** The first line after HTML comments and blanks; `top` if one is unclosed or text follows it. */
function skipComments(lines: string[], top: number): number {
  let isInside = false;
  for (let at = top; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!isInside && line.trim() === '') continue;
    if (!isInside && !/^ {0,3}<!--/.test(line)) return at;
    const end = line.lastIndexOf('-->');
    isInside = end === -1;
    if (!isInside && line.slice(end + 3).trim() !== '') return top;
  }
  return top;
}

function refuse(message: string, line: number): { problem: Problem } {
  return { problem: { path: 'frontmatter', message, line: line + 1, column: 1 } };
}

/**
 * Distinguishes JSON frontmatter from MDX, Liquid and prose that begin with a brace. True for
 * `{ "key":`, and for `{ title:`, which is rejected later because keys need quotes.
 */
function isJsonStart(text: string): boolean {
  if (/^\s{0,3}\{\s*"(?:[^"\\\n]|\\.){1,200}"\s*:/.test(text)) return true;
  const key = /^\s{0,3}\{\s*['"]?([\w-]{1,60})['"]?\s*:/.exec(text)?.[1];
  return key !== undefined && hasFieldLine(`${key}:`);
}

function findJsonEnd(text: string): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
