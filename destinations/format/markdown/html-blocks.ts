/** Finds where raw HTML blocks begin and end (CommonMark 0.31, 4.6). */

const ATTRIBUTE = String.raw`\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;
const TAG = String.raw`<(?:[a-z][a-z0-9-]*(?:${ATTRIBUTE})*\s*\/?|\/[a-z][a-z0-9-]*\s*)>`;

/** Matches one tag at `lastIndex`. Each scan needs a new pattern. */
export function buildTagPattern(): RegExp {
  return new RegExp(TAG, 'iy');
}

const BLOCK_NAMES = `address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|
dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|
menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul`;

const MARKED_BLOCKS: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
];
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_NAMES.replace(/\s/g, '')})(?:\\s|/?>|$)`, 'i');
const LONE_TAG = new RegExp(`^${TAG}\\s*$`, 'i');

/**
 * The pattern that ends the block which starts on this line; null if a blank line ends it.
 * Undefined if no block starts here.
 */
export function findHtmlBlockEnd(rest: string, interrupts: boolean): RegExp | null | undefined {
  if (!rest.startsWith('<')) return undefined;
  const marked = MARKED_BLOCKS.find(({ start }) => start.test(rest));
  if (marked) return marked.end;
  if (BLOCK_TAG.test(rest)) return null;
  // Any other tag alone on a line also begins a block, but cannot interrupt a paragraph.
  return !interrupts && LONE_TAG.test(rest) ? null : undefined;
}
