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
        for (const candidate of splitSrcset(value, start)) found.push({ ...candidate, of });
      else found.push({ start, end, value, isBare: !isQuoted, of });
    }
  }
  return found;
}

/** Each candidate of a `srcset` is an address, then white space and a width or density. */
function splitSrcset(value: string, offset: number): Omit<HtmlAddress, 'of'>[] {
  return [...value.matchAll(/(?:^|,)\s*([^\s,][^\s]*?)(?=,?\s|,$|$)/g)].map((match) => {
    const address = match[1] ?? '';
    const start = offset + match.index + match[0].length - address.length;
    return { start, end: start + address.length, value: address, isBare: false };
  });
}
