/** Formats warnings and failures for the terminal, and as JSON for scripts. */
import stringWidth from 'fast-string-width';
import type { Notice, Problem } from '../../article/types.ts';
import type { Failure } from '../failure.ts';
import { neutraliseLine, type Terminal } from './output.ts';

/** Writes `warning: message (code)`, one per line, with the position in the file if it is known. */
export function reportWarnings(warnings: Notice<string>[], file: string, terminal: Terminal): void {
  for (const warning of warnings) terminal.warn(describeNotice(warning, file));
}

/**
 * Returns `file:line: message (code)`. Omits an unknown line, and the file without path and line.
 */
export function describeNotice(notice: Notice<string>, file: string): string {
  const position = notice.path === undefined && notice.line === undefined ? '' : `${describePosition(file, notice)}: `;
  return `${position}${notice.message} (${notice.code})`;
}

/**
 * Writes the message, each problem as `file:line:column: field: message` with excerpt, and hints.
 */
export function reportFailure({ message, details }: Failure, terminal: Terminal): void {
  const { file, text, problems, hints, server } = details;
  const { red, plain, dim } = terminal.notePaint;
  terminal.note(`${red('error:')} ${plain(message)}`);
  for (const problem of problems) {
    const position = file === undefined ? '' : `${describePosition(file, problem)}: `;
    // Messages of the document reader start with the field.
    const field = problem.path === '' || problem.message.startsWith(problem.path) ? '' : `${problem.path}: `;
    terminal.note(`  ${plain(`${position}${field}${problem.message}`)}`);
    const excerpt = text === undefined ? [] : showExcerpt(text, problem, terminal.noteColumns);
    // The excerpt is already neutralised, and its spaces matter.
    for (const line of excerpt) terminal.note(`  ${dim(line)}`);
  }
  const request = server?.requestId === undefined ? [] : [`Request ${server.requestId}`];
  for (const line of [...hints, ...request]) terminal.note(`  ${dim(line)}`);
}

export function formatFailureJson({ message, exitCode, details }: Failure): Record<string, unknown> {
  const { problems, hints, file, server } = details;
  return { success: false, message, exitCode, file, errors: problems, hints, ...server };
}

function describePosition(file: string, { line, column }: Pick<Problem, 'line' | 'column'>): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

/** Enough for most lines of frontmatter. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 20;
/** Columns beside the excerpt: indent, line number, and a mark at each cut end. */
const RESERVED_COLUMNS = 12;
/** Share of the width that precedes the column in a cut line. */
const SHARE_BEFORE_COLUMN = 0.6;

/**
 * Returns a line of the text and a caret below the column, or nothing if the text has no such line.
 * The lines fit into `columns`: below a wrapped line the caret would point at the wrong character.
 */
export function showExcerpt(
  text: string,
  { line = 0, column }: { line?: number; column?: number },
  columns: number | null = null,
): string[] {
  const content = text.split(/\r\n?|\n/)[line - 1] ?? '';
  if (content.trim() === '') return [];
  const available = (columns ?? Number.POSITIVE_INFINITY) - RESERVED_COLUMNS;
  const maxColumns = Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, available));
  // In characters. Japanese characters are two columns wide.
  const width = Math.floor(maxColumns / Math.max(1, stringWidth(clean(content)) / content.length));
  const index = Math.max(0, Math.min((column ?? 1) - 1, content.length));
  const start = index > width - 1 ? index - Math.floor(width * SHARE_BEFORE_COLUMN) : 0;
  const cut = start > 0 ? '…' : '';
  const end = content.length > start + width ? '…' : '';
  const lines = [`${String(line).padStart(4)} | ${cut}${clean(content.slice(start, start + width))}${end}`];
  if (column === undefined) return lines;
  return [...lines, `     | ${' '.repeat(stringWidth(`${cut}${clean(content.slice(start, index))}`))}^`];
}

/** A tab would shift the caret; controls are visible as escapes, which are longer. */
function clean(text: string): string {
  return neutraliseLine(text.replaceAll('\t', ' '));
}
