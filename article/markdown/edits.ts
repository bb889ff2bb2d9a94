/** Changes a Markdown source by position. Text outside the edits stays unchanged. */

/** Replaces `[start, end)`; inserts if both are equal. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * Returns the part `[from, to)` with the edits in it. Of overlapping ones only the first and
 * longest is applied. Insertions precede a replacement.
 */
export function applyTextEdits(source: string, edits: readonly TextEdit[], from = 0, to = source.length): string {
  const inside = edits.filter((edit) => edit.start >= from && edit.end <= to);
  const ordered = inside.sort((left, right) => left.start - right.start || compareRanks(left, right));
  const pieces: string[] = [];
  let position = from;
  for (const edit of ordered) {
    if (edit.start < position) continue;
    pieces.push(source.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  pieces.push(source.slice(position, to));
  return pieces.join('');
}

function compareRanks(left: TextEdit, right: TextEdit): number {
  const leftLength = left.end - left.start;
  const rightLength = right.end - right.start;
  if (leftLength === 0 || rightLength === 0) return leftLength - rightLength;
  return rightLength - leftLength;
}
