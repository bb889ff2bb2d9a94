/**
 * The HTML of an article for where its page is not: addresses in full, and without the colours of code, which need our style sheet and are
 * most of the bytes of code. Reads HTML as `derive.ts` writes it (every value in quotes, no `<` in text) and nothing else: it is not parsed
 * again because a feed has thirty articles, and what sanitised it has had its say.
 */

const TAG = /<(\/?)([a-z][a-z\d]*)((?:[^"<>]|"[^"]*")*)>/g;
const ADDRESS = / (href|src|cite|srcset)="([^"]*)"/g;
const COLOUR = /^ class="tok-[^"]*"$/;
const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;

/** `pageUrl` is the address of the article's page: a fragment leads there. */
export function buildPortableHtml(html: string, pageUrl: string): string {
  /** Of each open span, whether it is left out. */
  const spans: boolean[] = [];
  return html.replace(TAG, (tag, closing: string, name: string, attributes: string) => {
    if (name === 'span') {
      const isLeftOut = closing ? (spans.pop() ?? false) : COLOUR.test(attributes);
      if (!closing) spans.push(isLeftOut);
      if (isLeftOut) return '';
    }
    if (attributes === '') return tag;
    const resolved = attributes.replace(ADDRESS, (_, attribute: string, value: string) => {
      const address = attribute === 'srcset' ? resolveEach(value, pageUrl) : resolve(value, pageUrl);
      return ` ${attribute}="${address}"`;
    });
    return `<${closing}${name}${resolved}>`;
  });
}

/** An address in full, or null for what is none that a reader could fetch. */
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

/** `a.png 1x, b.png 2x` */
function resolveEach(candidates: string, pageUrl: string): string {
  return candidates
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => resolve(address, pageUrl)))
    .join(', ');
}
