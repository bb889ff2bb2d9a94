/** Finds addresses in raw HTML by position, so that they can be edited in place. */
import { listAttributes, scanTags } from './html-tags.ts';

export interface HtmlAddress {
  /** Offsets in the piece of HTML. */
  start: number;
  end: number;
  value: string;
  /** Written without quotes. Its replacement needs them, because a slash ends a bare value. */
  isBare: boolean;
  /** The tag and the attribute in lower case: `img src`, `source srcset`. */
  of: string;
}

const ADDRESS_ATTRIBUTES = new Set(['src', 'href', 'poster', 'srcset']);

/** Addresses in `src`, `href`, `poster` and `srcset`, in order. */
export function findHtmlAddresses(html: string): HtmlAddress[] {
  const found: HtmlAddress[] = [];
  for (const tag of scanTags(html)) {
    if (tag.kind !== 'start') continue;
    for (const { name, start, end, isQuoted } of listAttributes(html, tag)) {
      if (!ADDRESS_ATTRIBUTES.has(name)) continue;
      const value = html.slice(start, end);
      const of = `${tag.name} ${name}`;
      if (name === 'srcset' && isQuoted)
        for (const candidate of listCandidates(value))
          found.push({ ...candidate, start: start + candidate.start, end: start + candidate.end, isBare: false, of });
      else found.push({ start, end, value, isBare: !isQuoted, of });
    }
  }
  return found;
}

/** The addresses in the value of a `srcset`, separated as the HTML standard requires. */
export function listCandidates(srcset: string): Pick<HtmlAddress, 'start' | 'end' | 'value'>[] {
  return [...srcset.matchAll(CANDIDATE)].map(({ 1: url = '', index }) => {
    const value = url.replace(/,+$/, '');
    return { start: index, end: index + value.length, value };
  });
}

/** An address that ends in commas has no descriptors. Commas in parentheses separate nothing. */
const CANDIDATE = /([^\t\n\f\r ,][^\t\n\f\r ]*)(?:(?<!,)(?:[^,(]|\([^)]*\)?)*)?/g;
