/** Changes to a text, each at its own place. */

export interface Edit {
  from: number;
  /** The same as `from` where something is put in. */
  to: number;
  text: string;
}

/** Those at one place come in the order given. Null if one of them is not possible, or two overlap. */
export function applyEdits(source: string, edits: readonly (Edit | null)[]): string | null {
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
