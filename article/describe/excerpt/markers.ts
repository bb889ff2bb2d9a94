/** Syntax of templates, directives and links that a reader of plain text must never see. */

/** Whatever is left of it where the text is shown: shortcodes, directives, wiki links, footnotes, comments, links. */
const MARKERS = /\{[{%#</]|[}%#>/]\}|:::|\[\[|\]\]|%\[|\[[!^]|\]\(|<!--|-->|%%|(?:^|\s)::?[a-z][\w-]*[[{]/i;
const IMAGE = /!\[[^\]]{0,200}\](?:\([^)\s]{0,500}\))?/g;
const LINK = /\[([^[\]]{1,200})\](?:\([^()\s]{0,500}\)|\[[^[\]]{0,100}\])/g;
/** `[^note]`, `[x]` and `[!NOTE]`, with the blank before them, and `[1]` where it is no index (`list[1]`). */
const REFERENCE =
  /(?:\s?\[(?:\^[^\]]{1,60}|!\w{1,20}|[ x])\]|\s\[\d{1,3}\]|(?<![\p{L}\p{N}_)\]\s])\[\d{1,3}\])(?!\()/giu;
/** Words in brackets of their own; those of code (`list[0]`, `#[derive]`) stand behind something. */
const BRACKETS = /(?<=^|[\s\p{Pi}\p{Ps}"'*])\[([^[\]]{1,200})\](?![([:])/gu;

export function hasMarkers(text: string): boolean {
  return MARKERS.test(text);
}

/** Keeps the words of links and brackets, and drops images and references. */
export function dropBrackets(text: string): string {
  if (!text.includes('[')) return text;
  return fold(text.replace(IMAGE, ' ').replace(LINK, '$1').replace(REFERENCE, '').replace(BRACKETS, '$1'));
}

/** For text without one clean sentence: every marker becomes a blank. */
export function dropMarkers(text: string): string {
  let clean = text.replace(/\{\{[^{}]{0,500}\}\}|\{%[^{}]{0,500}%\}|<!--[\s\S]{0,500}?-->/g, ' ');
  while (hasMarkers(clean)) clean = clean.replace(new RegExp(MARKERS, 'gi'), ' ');
  return fold(clean);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
