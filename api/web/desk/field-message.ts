/**
 * Renders a message about a position in a text. With script, the link opens the line in the editor.
 */
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
