/** Removes what no reader, terminal, feed or mail header should get: control characters, escapes, spoofing marks. */
import type { Notice } from '../types.ts';

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** Terminal sequences: CSI, OSC up to its end, two-character escapes. */
const TERMINAL_ESCAPES = new RegExp(
  `${ESC}\\[[0-9;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|${ESC}[@-_]?`,
  'g',
);
// Controls as ranges, which never change: V8 takes longer to ask for a property of Unicode than a short document takes to read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const SPACE_LIKE = /[\s\0-\x1f\x7f-\x9f\u2028\u2029]+/g;
/** Direction overrides, embeddings and isolates, and zero-width characters that join nothing. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u00ad\ufeff\ufff9-\ufffb]/g;
/** Most lines are clean already and skip the rest of the work. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const FORBIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff]/g;
/**
 * A second alphabet that nobody sees and that models read: tags (but for those of a flag of a region, which follow a black flag) and
 * selectors of variants, of which no letter has two.
 */
const SMUGGLED =
  /[\u{e0000}-\u{e007f}](?<!\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}?)|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2})/gu;
/** Most parts of documents hold nothing that could be hidden. */
const HIDES_NOTHING = /^[\t\n -~]*$/;
const DIRECTION_OVERRIDES = /[\u202a-\u202e]/;

/** One line of plain text, for titles, names and tags: no line breaks, control characters or invisible characters. */
export function cleanLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text
    .toWellFormed()
    .replace(TERMINAL_ESCAPES, '')
    .replace(SPACE_LIKE, ' ')
    .replace(INVISIBLE, '')
    .replace(SMUGGLED, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * A whole document with `\n` line ends and without the characters that break XML, HTML or a terminal. Lines keep their
 * numbers. A warning reports what was removed, because the author's text is changed.
 */
export function cleanDocument(content: string): { text: string; warnings: Notice[] } {
  let text = content;
  const warnings: Notice[] = [];
  if (!text.isWellFormed()) {
    warnings.push({
      code: 'invalid_characters_replaced',
      message: `Half a character (a lone surrogate) at line ${findLine(text, findDifference(text, text.toWellFormed()))} was replaced by U+FFFD; retype that character.`,
    });
    text = text.toWellFormed();
  }
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (text.startsWith('\ufeff')) text = text.replace(/^\ufeff+/, '');
  const unsmuggled = dropSmuggled(text);
  if (unsmuggled !== text) {
    const line = findLine(text, findDifference(text, unsmuggled));
    warnings.push({
      code: 'hidden_text_removed',
      message: `Text that nobody sees and that AI models read (tag characters, runs of variation selectors) was removed, the first at line ${line}.`,
      line,
    });
    text = unsmuggled;
  }
  const found = text.search(FORBIDDEN);
  if (found !== -1) {
    const what = DIRECTION_OVERRIDES.test(text)
      ? 'Control characters or text-direction overrides'
      : 'Control characters';
    warnings.push({
      code: 'control_characters_removed',
      message: `${what} were removed, the first at line ${findLine(text, found)}.`,
      line: findLine(text, found),
    });
    text = text.replace(TERMINAL_ESCAPES, '').replace(FORBIDDEN, '');
  }
  return { text, warnings };
}

function dropSmuggled(text: string): string {
  return text.replace(SMUGGLED, '');
}

/** As `cleanDocument`, for a part of one. */
export function dropHidden(text: string): string {
  return HIDES_NOTHING.test(text) ? text : dropSmuggled(text).replace(FORBIDDEN, '');
}

function findLine(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function findDifference(text: string, other: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
