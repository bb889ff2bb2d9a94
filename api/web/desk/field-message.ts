/** Something to be said about a place in a text. With script, the link leads to the line in the editor. */
import { type Html, html } from '../html.ts';

export function renderPlaced({ message, line, column }: { message: string; line?: number; column?: number }): Html {
  if (line === undefined) return html`${message}`;
  const place = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`;
  return html`<a href="#write-text" data-line="${line}" data-column="${column ?? 1}">${place}</a>: ${message}`;
}
