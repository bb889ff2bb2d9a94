/** Finds and removes template, directive and link syntax, which must not appear in plain text. */

/** Remains of shortcodes, directives, wiki links, footnotes, comments and links. */
const MARKERS = /\{[{%#</]|[}%#>/]\}|:::|\[\[|\]\]|%\[|\[[!^]|\]\(|<!--|-->|%%|(?:^|\s)::?[a-z][\w-]*[[{]/i;
const IMAGE = /!\[[^\]]{0,200}\](?:\([^)\s]{0,500}\))?/g;
const LINK = /\[([^[\]]{1,200})\](?:\([^()\s]{0,500}\)|\[[^[\]]{0,100}\])/g;
/** `[^note]`, `[x]`, `[!NOTE]`, and `[1]` unless it is an index (`list[1]`). */
const REFERENCE =
  /(?:\s?\[(?:\^[^\]]{1,60}|!\w{1,20}|[ x])\]|\s\[\d{1,3}\]|(?<![\p{L}\p{N}_)\]\s])\[\d{1,3}\])(?!\()/giu;
/** Words in brackets. Brackets in code (`list[0]`, `#[derive]`) follow another character. */
const BRACKETS = /(?<=^|[\s\p{Pi}\p{Ps}"'*])\[([^[\]]{1,200})\](?![([:])/gu;

export function hasMarkers(text: string): boolean {
  return MARKERS.test(text);
}

/** Keeps the words of links and brackets; drops images and references. */
export function dropBrackets(text: string): string {
  if (!text.includes('[')) return text;
  return fold(text.replace(IMAGE, ' ').replace(LINK, '$1').replace(REFERENCE, '').replace(BRACKETS, '$1'));
}

/** For text without a clean sentence: replaces every marker with a space. */
export function dropMarkers(text: string): string {
  let clean = text.replace(/\{\{[^{}]{0,500}\}\}|\{%[^{}]{0,500}%\}|<!--[\s\S]{0,500}?-->/g, ' ');
  while (hasMarkers(clean)) clean = clean.replace(new RegExp(MARKERS, 'gi'), ' ');
  return fold(clean);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
