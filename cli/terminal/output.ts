/**
 * Writes all output. Text of files, servers and arguments is neutralised: it must not move the
 * cursor, rename the window, or make one address look like another.
 */
import { wrapAnsi } from 'fast-wrap-ansi';

export interface Terminal {
  /** Writes a line of the result to stdout. */
  out(line: string): void;
  /** Writes any other line to stderr. */
  note(line: string): void;
  /** Writes a note that starts with `warning:`. Neutralises the text. */
  warn(text: string): void;
  /** Shows a temporary line on stderr until the next output; "" clears it. */
  draw(line: string): void;
  /** Width of the terminal of notes; null without a terminal or a known width. */
  noteColumns: number | null;
  outPaint: Paint;
  notePaint: Paint;
}

/** Neutralises and colours in one step, so that no text is coloured without being neutralised. */
type Paint = Record<keyof typeof CODES, (text: string) => string>;

interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  /** 0 if the terminal does not report it. */
  columns?: number;
}

/** Uses colours only on a terminal, and not with NO_COLOR (https://no-color.org) or TERM=dumb. */
export function createTerminal(stdout: Output, stderr: Output, colours: boolean): Terminal {
  const notePaint = createPaint(colours && stderr.isTTY === true);
  let isDrawn = false;
  const draw = (line: string) => {
    if (isDrawn || line !== '') stderr.write(`\r\u001b[K${line}`);
    isDrawn = line !== '';
  };
  const write = (output: Output, line: string) => {
    draw('');
    output.write(`${line}\n`);
  };
  const note = (line: string) => write(stderr, wrapSentence(line, stderr));
  return {
    out: (line) => write(stdout, line),
    note,
    warn: (text) => note(`${notePaint.yellow('warning:')} ${notePaint.plain(text)}`),
    draw,
    get noteColumns() {
      return (stderr.isTTY && stderr.columns) || null;
    },
    outPaint: createPaint(colours && stdout.isTTY === true),
    notePaint,
  };
}

const MAX_LINE_CHARACTERS = 1_000;

/**
 * Returns one line: controls become visible (`\x1b`), line breaks become spaces, long text is cut.
 */
export function neutraliseLine(text: string): string {
  const characters = text.length > MAX_LINE_CHARACTERS ? [...text.slice(0, MAX_LINE_CHARACTERS * 2)] : [];
  const shortened =
    characters.length > MAX_LINE_CHARACTERS ? `${characters.slice(0, MAX_LINE_CHARACTERS).join('')}…` : text;
  return shortened.replace(/\s*(?:\r\n|[\n\r\u2028\u2029])\s*/g, ' ').replace(DANGEROUS, escapeCharacter);
}

/** Neutralises text of several lines (usage, help), with its line breaks. */
export function neutraliseText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(DANGEROUS, (found) => (found === '\n' ? found : escapeCharacter(found)));
}

/** Indented JSON, for people. */
export function formatReadableJson(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2));
}

/** One object on one line, for programs. */
export function formatJsonLine(value: Record<string, unknown>): string {
  return escapeJson(JSON.stringify(value));
}

/**
 * Escapes the controls that `JSON.stringify` does not (DEL, C1, bidi marks), without changing the
 * value. The only other controls in its output are its own line breaks.
 */
function escapeJson(json: string): string {
  return json.replace(DANGEROUS, (found) => (found === '\n' ? found : escapeUnicode(found)));
}

/**
 * Formats a time in the local zone (`2 Jul 2090, 06:00 Asia/Tokyo`). Returns other text unchanged.
 */
export function formatLocalTime(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `${format.format(at)} ${format.resolvedOptions().timeZone}`;
}

/** Wraps between words. A long address stays in one piece, which the terminal breaks. */
function wrapSentence(line: string, { isTTY, columns = 0 }: Output): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const width = columns - indent.length - HANGING_INDENT.length;
  if (isTTY !== true || width < MIN_COLUMNS || line.length <= columns || line.includes('\n')) return line;
  return indent + wrapAnsi(line.slice(indent.length), width).replaceAll('\n', `\n${indent}${HANGING_INDENT}`);
}

const HANGING_INDENT = '  ';
const MIN_COLUMNS = 20;

const CODES = { plain: '', bold: '1', dim: '2', red: '31', green: '32', yellow: '33' } as const;

/** C0, DEL and C1 controls, and the marks that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0xff ? escapeUnicode(character) : `\\x${code.toString(16).padStart(2, '0')}`;
}

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function createPaint(isEnabled: boolean): Paint {
  const paints = Object.entries(CODES).map(([name, code]) => [
    name,
    (text: string) =>
      isEnabled && code !== '' ? `\u001b[${code}m${neutraliseLine(text)}\u001b[0m` : neutraliseLine(text),
  ]);
  return Object.fromEntries(paints) as Paint;
}
