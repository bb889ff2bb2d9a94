/**
 * Removes the document type from XML before it is parsed. Its declarations can define entities that
 * read files, call addresses or grow without limit, and no feed needs it.
 */

/** Only before the root element, where XML allows it. One pass, whatever the input. */
export function dropDoctype(xml: string): string {
  const start = findDoctype(xml);
  if (start === -1) return xml;
  const end = findEnd(xml, start);
  return end === -1 ? xml.slice(0, start) : xml.slice(0, start) + xml.slice(end);
}

/** Skips declarations, comments and blanks. */
function findDoctype(xml: string): number {
  for (let at = 0; ; ) {
    at = xml.indexOf('<', at);
    if (at === -1) return -1;
    const close = xml.startsWith('<?', at) ? '?>' : xml.startsWith('<!--', at) ? '-->' : null;
    if (close === null) return /^<!doctype/i.test(xml.slice(at, at + 9)) ? at : -1;
    const end = xml.indexOf(close, at);
    if (end === -1) return -1;
    at = end + close.length;
  }
}

/** The offset after the `>` that is outside of quotes and of the internal subset. */
function findEnd(xml: string, start: number): number {
  let quote = '';
  let depth = 0;
  for (let at = start + 9; at < xml.length; at += 1) {
    const letter = xml[at] ?? '';
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '[') depth += 1;
    else if (letter === ']') depth -= 1;
    else if (letter === '>' && depth <= 0) return at + 1;
  }
  return -1;
}
