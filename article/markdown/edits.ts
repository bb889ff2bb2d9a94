/** Changes to a Markdown source by position. What no edit covers stays byte for byte. */

/** Replaces `[start, end)`; an insertion where both are equal. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * The part `[from, to)` of the source with the edits that lie in it. Where edits overlap, the one that starts first and
 * is longest wins; those inside of it are left out. Insertions stand before a replacement that starts where they do.
 */
export function applyEdits(source: string, edits: readonly Edit[], from = 0, to = source.length): string {
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

function compareRanks(left: Edit, right: Edit): number {
  const leftLength = left.end - left.start;
  const rightLength = right.end - right.start;
  if (leftLength === 0 || rightLength === 0) return leftLength - rightLength;
  return rightLength - leftLength;
}
