/** Removes control characters, escapes and spoofing marks, which no reader may get. */
import type { Notice } from '../types.ts';

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** Terminal sequences: CSI, OSC up to its end, two-character escapes. */
const TERMINAL_ESCAPES = new RegExp(
  `${ESC}\\[[0-9;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|${ESC}[@-_]?`,
  'g',
);
// Ranges of controls, which never change. Property lookups in V8 take longer than reading a short
// document.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const SPACE_LIKE = /[\s\0-\x1f\x7f-\x9f\u2028\u2029]+/g;
/** Direction overrides, embeddings and isolates, and zero-width characters that join nothing. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u00ad\ufeff\ufff9-\ufffb]/g;
/** Most lines are clean and skip the remaining steps. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const FORBIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff]/g;
/**
 * Invisible characters that models read: tags (except in a region's flag) and repeated variation
 * selectors.
 */
const SMUGGLED =
  /[\u{e0000}-\u{e007f}](?<!\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}?)|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2})/gu;
/** Matches most parts of documents, which can hide nothing. */
const HIDES_NOTHING = /^[\t\n -~]*$/;
const DIRECTION_OVERRIDES = /[\u202a-\u202e]/;

/** One line of plain text: no line breaks, control or invisible characters. */
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
 * Returns a document with `\n` line ends, without characters that break XML, HTML or a terminal.
 * Line numbers stay. Each removal causes a warning.
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
      message: `Text that is invisible to people but read by AI models (tag characters, runs of variation selectors) was removed, the first at line ${line}.`,
      line,
    });
    text = unsmuggled;
  }
  const found = text.search(FORBIDDEN);
  if (found !== -1) {
    const description = DIRECTION_OVERRIDES.test(text)
      ? 'Control characters or text-direction overrides'
      : 'Control characters';
    warnings.push({
      code: 'control_characters_removed',
      message: `${description} were removed, the first at line ${findLine(text, found)}.`,
      line: findLine(text, found),
    });
    text = text.replace(TERMINAL_ESCAPES, '').replace(FORBIDDEN, '');
  }
  return { text, warnings };
}

function dropSmuggled(text: string): string {
  return text.replace(SMUGGLED, '');
}

/** Like `cleanDocument`, for a part of a document. */
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
