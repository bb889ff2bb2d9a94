/**
 * Separates lines of fenced code from lines of text. Sufficient to search for MDX; not a parser.
 */

/** Maps every line: `code` gets fences and the lines in them, `text` gets all others. */
export function mapLines(body: string, { text, code }: Record<'text' | 'code', (line: string) => string>): string {
  let fence: string | null = null;
  const lines = body.split('\n').map((line) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker === undefined) return fence === null ? text(line) : code(line);
    if (fence === null) fence = marker;
    else if (marker.startsWith(fence)) fence = null;
    return code(line);
  });
  return lines.join('\n');
}
