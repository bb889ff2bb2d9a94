/** Tells the lines of fenced code from the lines of text. Good enough to look for signs of MDX; not a parser. */

/** Maps every line of a body: `text` gets lines outside of code, `code` the lines of fenced code and the fences. */
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
