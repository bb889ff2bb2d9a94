/** Escapes authors' text for a line of generated Markdown. */
import { cleanLine } from '../text/clean-text.ts';

/** On one line, with everything escaped that has a meaning in Markdown. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^(?=[#+=-])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\');
}

/** For link text: simple parsers of `llms.txt` end it at the first bracket, escaped or not. */
export function escapeLinkText(text: string): string {
  return escapeMarkdown(text).replaceAll('\\[', '&#91;').replaceAll('\\]', '&#93;') || '(untitled)';
}

export function escapeTarget(url: string): string {
  return cleanLine(url).replace(/[\s()<>\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}
