/**
 * Writes the log, annotations, outputs and job summary of the runner. The runner executes commands
 * from any line that begins with `::` or contains `##[`, so titles and file names are escaped here.
 */
import { appendFileSync } from 'node:fs';

/** @typedef {import('./courant.mjs').Notice & { file?: string, title?: string }} Annotation */

/** Control characters and characters that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** @type {(text: string) => void} */
export function log(text) {
  process.stdout.write(formatLogLine(text));
}

/** @type {(annotation: Annotation) => void} */
export function annotate(annotation) {
  process.stdout.write(formatAnnotation(annotation));
}

/**
 * No log line starts with text of a user, so `::` needs no escaping, only `##[`.
 *
 * @type {(text: string) => string}
 */
export function formatLogLine(text) {
  return `${escapeLine(text).replaceAll('##[', '## [')}\n`;
}

/**
 * Formats an error, a warning or a notice, with its file and line if they are known.
 *
 * @type {(annotation: Annotation) => string}
 */
export function formatAnnotation({ level, message, file, line, column, title }) {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level}${properties.length === 0 ? '' : ` ${properties.join(',')}`}::${escapeData(message)}\n`;
}

/** @type {(env: NodeJS.ProcessEnv, outputs: Record<string, unknown>) => void} */
export function setOutputs(env, outputs) {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, lines.join(''));
}

/** @type {(env: NodeJS.ProcessEnv, markdown: string) => void} */
export function addSummary(env, markdown) {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, markdown);
}

/** @type {(text: string) => string} */
export function escapeLine(text) {
  return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').replace(DANGEROUS, escapeCharacter);
}

/** @type {(text: string) => string} */
function escapeData(text) {
  const escapedText = text
    .split(/\r\n?|\n/)
    .map(escapeLine)
    .join('\n');
  return escapedText.replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/**
 * Encodes only separators, because the runner looks up the file by this name.
 *
 * @type {(text: string) => string}
 */
function escapeProperty(text) {
  const encode = (/** @type {string} */ character) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return text.replace(/[%\r\n:,]/g, encode);
}

/** @type {(character: string) => string} */
function escapeCharacter(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
