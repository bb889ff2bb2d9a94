/** What no reader, terminal, feed or mail header should get: control characters, escapes, spoofing marks. */
import type { Notice } from '../types.ts';

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** Terminal sequences: CSI, OSC up to its end, and two-character escapes. */
const TERMINAL_ESCAPES = new RegExp(
  `${ESC}\\[[0-9;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|${ESC}[@-_]?`,
  'g',
);
const SPACE_LIKE = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Direction overrides, embeddings and isolates, and characters that have no width and join nothing. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u00ad\ufeff\ufff9-\ufffb]/g;
/** Most lines are these already; the rest of the work is for the others. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;
const FORBIDDEN = /(?![\t\n])\p{Cc}|[\u202a-\u202e\ufeff]/gu;
const HAS_FORBIDDEN = /(?![\t\n])\p{Cc}|[\u202a-\u202e\ufeff]/u;
const DIRECTION_OVERRIDES = /[\u202a-\u202e]/;

/** One line of plain text: for titles, names, tags. Never holds a line break, a control or an invisible character. */
export function cleanLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text
    .toWellFormed()
    .replace(TERMINAL_ESCAPES, '')
    .replace(SPACE_LIKE, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * A whole document with `\n` line ends and without characters that XML, HTML or a terminal would choke on. Lines keep
 * their numbers. What was removed is said in a notice, because the author's bytes are changed.
 */
export function cleanDocument(content: string): { text: string; warnings: Notice[] } {
  let text = content;
  const warnings: Notice[] = [];
  if (!text.isWellFormed()) {
    warnings.push({
      code: 'invalid_characters_replaced',
      message: `Half a character (a lone surrogate) at line ${lineOf(text, firstLoneSurrogate(text))} was replaced by U+FFFD; retype that character.`,
    });
    text = text.toWellFormed();
  }
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (text.startsWith('\ufeff')) text = text.replace(/^\ufeff+/, '');
  const found = HAS_FORBIDDEN.exec(text);
  if (found !== null) {
    const what = DIRECTION_OVERRIDES.test(text)
      ? 'Control characters or text-direction overrides'
      : 'Control characters';
    warnings.push({
      code: 'control_characters_removed',
      message: `${what} were removed, the first at line ${lineOf(text, found.index)}.`,
      line: lineOf(text, found.index),
    });
    text = text.replace(TERMINAL_ESCAPES, '').replace(FORBIDDEN, '');
  }
  return { text, warnings };
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function firstLoneSurrogate(text: string): number {
  const whole = text.toWellFormed();
  let at = 0;
  while (at < text.length && text.charCodeAt(at) === whole.charCodeAt(at)) at += 1;
  return at;
}
