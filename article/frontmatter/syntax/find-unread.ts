/**
 * Finds frontmatter in unsupported forms, which is rejected: published as text, its draft settings
 * and dates would be lost.
 */
import type { Problem } from '../../types.ts';
import { isDistinctiveKeyLine, isKeyLine } from '../field-line.ts';

/** `top`: the first line that is not blank, `first`: the first after HTML comments, from 0. */
export function findUnreadFrontmatter(lines: string[], { top, first }: { top: number; first: number }): Problem | null {
  return (
    findOddFence(lines, first) ?? findBareFields(lines, first) ?? findInComment(lines, top) ?? findBelow(lines, first)
  );
}

/** A second frontmatter directly below the first. `start` is the first line of the body. */
export function findSecondFrontmatter(lines: string[], start: number): Problem | null {
  const at = lines.findIndex((line, index) => index >= start && line.trim() !== '');
  if (at === -1 || !isClosedBlock(lines, at)) return null;
  return describe('A second frontmatter begins here and is ignored; move its fields into the first one', at);
}

/** An invalid fence (`—-`, `***`, `--- title: x`) with a field below it. */
function findOddFence(lines: string[], at: number): Problem | null {
  // Four blanks make a code block.
  const line = /^ {0,3}(?=\S)(.*)$/.exec(lines[at] ?? '')?.[1]?.trim() ?? '';
  const isFence = /^[^\p{L}\p{N}\s`~<>|]{1,20}$/u.test(line) || /^(?:-{2,}|\+{3,}|;{3,}|[–—]+-*)/.test(line);
  if (!isFence || !isDistinctiveKeyLine(lines[at + 1])) return null;
  return describe(`"${line.slice(0, 20)}" is not a frontmatter fence; write a line of ---`, at);
}

/** A first paragraph of `Key: value` lines (MultiMarkdown, Pelican). */
function findBareFields(lines: string[], at: number): Problem | null {
  if (!isDistinctiveKeyLine(lines[at])) return null;
  const next = lines[at + 1] ?? '';
  const isBlock = next.trim() !== '' && isKeyLine(next);
  const isState = STATE_LINE.test(lines[at] ?? '');
  if (!isBlock && !isState) return null;
  return describe(
    'This looks like frontmatter without fences, which is ignored; put a line of --- above and below',
    at,
  );
}

const STATE_LINE =
  /^["']?(?:draft|is_?draft|published?|private|status)["']?[ \t]*[:=][ \t]*["']?(?:true|false|yes|no|on|off|draft|private|hidden)\b/i;

/** A comment may contain a title and an author. Fences or a state make it frontmatter. */
function findInComment(lines: string[], top: number): Problem | null {
  if (!/^ {0,3}<!--/.test(lines[top] ?? '')) return null;
  const end = lines.findIndex((line, index) => index >= top && line.includes('-->'));
  const inside = lines
    .slice(top, end === -1 ? undefined : end + 1)
    .map((line) => line.replace(/^\s*(?:<!--\s*)?(?:\.\. )?/, ''));
  const hasFences = inside.some((line) => /^(?:-{3,}|\+{3,})[ \t]*$/.test(line));
  const at = inside.findIndex((line) => STATE_LINE.test(line) || (hasFences && isDistinctiveKeyLine(line)));
  return at === -1
    ? null
    : describe('Frontmatter in an HTML comment is ignored; put it between lines of ---', top + at);
}

/** Lines that authors put above frontmatter: headings, imports, badges. */
const PRELUDE = /^\s*(?:#|import\b|export\b|<|\{%|\{\{|\[?!\[|$)/;
const MAX_PRELUDE = 40;

function findBelow(lines: string[], first: number): Problem | null {
  for (let at = first; at < Math.min(lines.length, first + MAX_PRELUDE); at += 1) {
    if (at > first && isClosedBlock(lines, at))
      return describe('Frontmatter is only read at the very beginning; move it above all text', at);
    if (!PRELUDE.test(lines[at] ?? '')) return null;
  }
  return null;
}

/** True for a fence, a field directly below it, only fields after that, and another fence. */
function isClosedBlock(lines: string[], at: number): boolean {
  const mark = /^(?:(-)-{2,}|(\+)\+{2,}|(;);{2,})[ \t]*$/.exec(lines[at] ?? '');
  if (mark === null || !isDistinctiveKeyLine(lines[at + 1])) return false;
  const fence = (lines[at] ?? '').charAt(0);
  for (let line = at + 1; line < Math.min(lines.length, at + 500); line += 1) {
    const text = lines[line] ?? '';
    if (text.startsWith(fence.repeat(3))) return true;
    if (!/^(?:\s|#|-[ \t]|[\]}]|$)/.test(text) && !isKeyLine(text)) return false;
  }
  return false;
}

function describe(message: string, line: number): Problem {
  return { path: 'frontmatter', message: `${message}.`, line: line + 1, column: 1 };
}
