/** Formats warnings and failures for the terminal, and as JSON for scripts. */
import type { Notice, Problem } from '../../article/types.ts';
import type { Failure } from '../failure.ts';
import { showExcerpt } from './excerpt.ts';
import type { Terminal } from './output.ts';

/** Writes `warning: message (code)`, one per line, with the position in the file if it is known. */
export function reportWarnings(warnings: Notice[], file: string, terminal: Terminal): void {
  const paint = terminal.notePaint;
  for (const warning of warnings)
    terminal.note(`${paint.yellow('warning:')} ${paint.plain(describeNotice(warning, file))}`);
}

/**
 * Returns `file:line: message (code)`. Omits an unknown line, and the file without path and line.
 */
export function describeNotice(notice: Notice, file: string): string {
  const position = notice.path === undefined && notice.line === undefined ? '' : `${describePosition(file, notice)}: `;
  return `${position}${notice.message} (${notice.code})`;
}

/**
 * Writes the message, each problem as `file:line:column: field: message` with excerpt, and hints.
 */
export function reportFailure(failure: Failure, terminal: Terminal): void {
  const paint = terminal.notePaint;
  terminal.note(`${paint.red('error:')} ${paint.plain(failure.message)}`);
  for (const problem of failure.problems) {
    terminal.note(`  ${paint.plain(describeProblem(problem, failure.file))}`);
    const excerpt = failure.text === undefined ? [] : showExcerpt(failure.text, problem, terminal.noteColumns);
    // The excerpt is already neutralised, and its spaces matter.
    for (const line of excerpt) terminal.note(`  ${paint.dim(line)}`);
  }
  for (const hint of failure.hints) terminal.note(`  ${paint.dim(hint)}`);
  if (failure.server?.requestId !== undefined) terminal.note(`  ${paint.dim(`Request ${failure.server.requestId}`)}`);
}

export function formatFailureJson(failure: Failure): Record<string, unknown> {
  const { message, exitCode, problems, hints, file, server } = failure;
  return {
    success: false,
    message,
    exitCode,
    ...(file === undefined ? {} : { file }),
    errors: problems,
    hints,
    ...server,
  };
}

function describeProblem(problem: Problem, file: string | undefined): string {
  const position = file === undefined ? '' : `${describePosition(file, problem)}: `;
  // Messages of the document reader start with the field.
  const field = problem.path === '' || problem.message.startsWith(problem.path) ? '' : `${problem.path}: `;
  return `${position}${field}${problem.message}`;
}

function describePosition(file: string, { line, column }: Pick<Problem, 'line' | 'column'>): string {
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
