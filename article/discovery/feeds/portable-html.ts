/**
 * Prepares sanitised HTML of `derive.ts` (quoted values, no `<` in text) for feeds: makes addresses
 * absolute and removes the spans that colour code, which are most of the bytes.
 */
import { listCandidates } from '../../markdown/html/html-addresses.ts';

const TAG = /<(\/?)([a-z][a-z\d]*)((?:[^"<>]|"[^"]*")*)>/g;
const ADDRESS = / (href|src|cite|srcset)="([^"]*)"/g;
const COLOUR = /^ class="tok-[^"]*"$/;
const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;

/** `pageUrl` is the address of the article's page, to which fragments resolve. */
export function buildPortableHtml(html: string, pageUrl: string): string {
  const spans: boolean[] = [];
  return html.replace(TAG, (tag, closing: string, name: string, attributes: string) => {
    if (name === 'span') {
      const isRemoved = closing ? (spans.pop() ?? false) : COLOUR.test(attributes);
      if (!closing) spans.push(isRemoved);
      if (isRemoved) return '';
    }
    if (attributes === '') return tag;
    const resolved = attributes.replace(ADDRESS, (_, attribute: string, value: string) => {
      const address = attribute === 'srcset' ? resolveEach(value, pageUrl) : resolve(value, pageUrl);
      return ` ${attribute}="${address}"`;
    });
    return `<${closing}${name}${resolved}>`;
  });
}

/** The absolute address, or null if it is not http(s). */
export function resolveWebAddress(address: string, pageUrl: string): string | null {
  const url = URL.parse(address, pageUrl);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

function resolve(escaped: string, pageUrl: string): string {
  if (ABSOLUTE.test(escaped)) return escaped;
  const address = escaped.replace(/&#x([\dA-F]{1,6});/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  const resolved = resolveWebAddress(address, pageUrl);
  return resolved === null ? escaped : resolved.replace(/&/g, '&#x26;');
}

function resolveEach(srcset: string, pageUrl: string): string {
  let resolved = '';
  let from = 0;
  for (const { start, end, value } of listCandidates(srcset)) {
    resolved += srcset.slice(from, start) + resolve(value, pageUrl);
    from = end;
  }
  return resolved + srcset.slice(from);
}
