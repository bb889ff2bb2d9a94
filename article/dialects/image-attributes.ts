/** Attributes after the address of an image, as Hashnode's editor writes them: `![](x.png align="center")`, or its size, as Zenn's do: `![](x.png =250x)`. */
import type { Span } from './spans.ts';

const ATTRIBUTES =
  /[ \t](?:(?:(?:align|width|height)="[^"\n]{0,40}"[ \t]{0,4}){1,4}|=(?:\d{1,5}%?)?(?:x\d{0,5}%?)?)(?=\))/g;
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
