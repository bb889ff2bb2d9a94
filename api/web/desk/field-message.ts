/** Renders a message about a position in a text. With script, its link opens the line. */
import { type Html, html } from '../html.ts';

export function renderLocatedMessage({
  message,
  line,
  column,
}: {
  message: string;
  line?: number;
  column?: number;
}): Html {
  if (line === undefined) return html`${message}`;
  const position = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`;
  return html`<a href="#write-text" data-line="${line}" data-column="${column ?? 1}">${position}</a>: ${message}`;
}
