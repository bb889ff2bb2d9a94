/** Text of authors on a line of Markdown that is ours: it stays text, whatever it holds. */
import { cleanLine } from '../text/clean-text.ts';

/** The text on one line, with everything escaped that has a meaning in Markdown. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^(?=[#+=-])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\');
}

/** As `escapeMarkdown`, for the text of a link: simple readers of `llms.txt` end it at the first bracket, escaped or not. */
export function escapeLinkText(text: string): string {
  return escapeMarkdown(text).replaceAll('\\[', '&#91;').replaceAll('\\]', '&#93;') || '(untitled)';
}

export function escapeTarget(url: string): string {
  return cleanLine(url).replace(/[\s()<>\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}
