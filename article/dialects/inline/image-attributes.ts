/** Attributes of images: `![](x.png align="center")` (Hashnode), `![](x.png =250x)` (Zenn). */
import type { Span } from '../spans.ts';

const ATTRIBUTES =
  /[ \t](?:(?:(?:align|width|height)="[^"\n]{0,40}"[ \t]{0,4}){1,4}|=(?:\d{1,5}%?)?(?:x\d{0,5}%?)?)(?=\))/g;
/** An address with an optional title, before the attributes. */
const TARGET = /^\S+(?:[ \t]+"[^"\n]*")?[ \t]*$/;
const MAX_TARGET_LENGTH = 2_100;
const MAX_ATTRIBUTES = 2_000;

/** With them the text is no image of CommonMark; without them it is. Callers exclude code. */
export function findImageAttributes(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: attributes, index } of text.matchAll(ATTRIBUTES)) {
    const before = text.slice(Math.max(0, index - MAX_TARGET_LENGTH), index);
    const bracket = before.lastIndexOf('](');
    const mark = before.lastIndexOf('![', bracket);
    if (bracket === -1 || mark === -1 || before.slice(mark, bracket).includes('\n\n')) continue;
    if (TARGET.test(before.slice(bracket + 2))) spans.push({ start: index, end: index + attributes.length });
    if (spans.length === MAX_ATTRIBUTES) break;
  }
  return spans;
}
