/** Applies edits to a text, each at its own position. */

export interface TextEdit {
  from: number;
  /** Equal to `from` for an insertion. */
  to: number;
  text: string;
}

/**
 * Edits at one position apply in the order of `edits`. Null if one of them is null, or two overlap.
 */
export function applyTextEdits(source: string, edits: readonly (TextEdit | null)[]): string | null {
  const possible = edits.filter((edit) => edit !== null);
  if (possible.length < edits.length) return null;
  let text = '';
  let at = 0;
  for (const edit of possible.toSorted((a, b) => a.from - b.from)) {
    if (edit.from < at) return null;
    text += source.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return text + source.slice(at);
}
