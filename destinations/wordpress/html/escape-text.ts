/**
 * Writes text so that WordPress shows it unchanged. The site's changes on display (shortcodes,
 * embeds of bare addresses, typographic dashes, smilies) match stored characters, never character
 * references.
 */

/** Text for HTML content, code included. */
export function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (sign) => NAMED[sign] ?? sign)
    .replace(BRACKETS, bracket)
    .replaceAll('--', '-&#45;')
    .replaceAll('://', ':/&#47;')
    .replace(SMILEY, (_all, before: string, sign: string) => `${before}&#${sign.charCodeAt(0)};`);
}

/** A title, in which the site replaces nothing but dashes. */
export function escapeTitle(title: string): string {
  return title.replace(/[&<>]/g, (sign) => NAMED[sign] ?? sign).replaceAll('--', '-&#45;');
}

/** Escapes brackets in finished HTML: shortcodes run in text and in attributes. */
export function escapeBrackets(html: string): string {
  return html.replace(BRACKETS, bracket);
}

/**
 * Prevents shortcodes in an attribute even after decoding: since 7.0, sites decode attributes of
 * authors without `unfiltered_html`, then run shortcodes. The word joiner after a bracket is
 * invisible. Ids do not change, because links refer to them.
 */
export function breakShortcodes(name: string, value: string): string {
  if (WORDS.has(name)) return value.replace(/\[(?=[^\s[\]])/g, '[\u2060');
  if (!ADDRESSES.has(name)) return value;
  // Brackets around a host's number are part of it.
  const host = /^(?:[a-z][\w+.-]*:)?\/\/[^/?#]*/i.exec(value)?.[0] ?? '';
  return host + value.slice(host.length).replace(BRACKETS, encodeURIComponent);
}

/** A value for a double-quoted attribute. */
export function escapeAttribute(value: string): string {
  return escapeBrackets(value.replace(/[&<>"]/g, (sign) => NAMED[sign] ?? sign));
}

/** Decodes the references that this file and WordPress itself write into attributes. */
export function unescapeAttribute(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return UNNAMED[name as string] ?? all;
    const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const UNNAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const WORDS = new Set(['title', 'alt', 'ariaLabel']);
const ADDRESSES = new Set(['href', 'src', 'cite']);

const BRACKETS = /[[\]]/g;
const bracket = (sign: string) => (sign === '[' ? '&#91;' : '&#93;');

/** The first character of a smiley: `:)`, `;-)`, `8)`, `:roll:`. */
const SMILEY = /(^|\s)([:;8])(?=[^\sA-Za-z\d:]{1,3}(?:\s|$)|-?[DPOXopxd](?:\s|$)|[\w?!]{1,12}:(?:\s|$))/g;
