/** Attributes after the address of an image, as Hashnode's editor writes them: `![](x.png align="center")`. */

interface Span {
  start: number;
  end: number;
}

const ATTRIBUTES = /[ \t](?:(?:align|width|height)="[^"\n]{0,40}"[ \t]{0,4}){1,4}(?=\))/g;
/** An address, and perhaps a title, before the attributes. */
const TARGET = /^\S+(?:[ \t]+"[^"\n]*")?[ \t]*$/;
const LONGEST_TARGET = 2_100;
const MOST = 2_000;

/**
 * Where they are. Without them the same text is an image of CommonMark, and with them it is none. Code is not recognised
 * here, so callers leave out what is in code.
 */
export function findImageAttributes(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: attributes, index } of text.matchAll(ATTRIBUTES)) {
    const before = text.slice(Math.max(0, index - LONGEST_TARGET), index);
    const bracket = before.lastIndexOf('](');
    const mark = before.lastIndexOf('![', bracket);
    if (bracket === -1 || mark === -1 || before.slice(mark, bracket).includes('\n\n')) continue;
    if (TARGET.test(before.slice(bracket + 2))) spans.push({ start: index, end: index + attributes.length });
    if (spans.length === MOST) break;
  }
  return spans;
}

/** The text with blanks in place of the spans, so that everything else keeps its position. */
export function blankSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return parts.join('') + text.slice(from);
}
