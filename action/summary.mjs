/** The job summary: what became of each file, as Markdown in which no title and no name of a file is more than text. */
import { toHarmlessLine } from './runner.mjs';

/** @typedef {import('./publish-changes.mjs').Outcome} Outcome */

/** A step may write 1 MiB; the runner drops all of a longer summary. */
const MOST_CHARACTERS = 250_000;

/** @type {Record<Outcome['what'], string>} */
const WORDS = {
  created: 'published, new',
  updated: 'published, updated',
  checked: 'can be published',
  invalid: '**cannot be published**',
  failed: '**failed**',
  'not published': 'not published',
  deleted: 'gone; its article stays',
};

/**
 * @param {{ headline: string, reasons: string[], outcomes: Outcome[] }} report
 * @returns {string}
 */
export function formatSummary({ headline, reasons, outcomes }) {
  const parts = [`## ${escapeMarkdown(headline)}\n\n`, ...reasons.map((reason) => `${escapeMarkdown(reason)}\n\n`)];
  if (outcomes.length > 0) parts.push('| File | | Article |\n|---|---|---|\n');
  let left = MOST_CHARACTERS;
  for (const [index, outcome] of outcomes.entries()) {
    const row = formatRow(outcome);
    left -= row.length;
    if (left < 0) {
      parts.push(`\n${outcomes.length - index} more: see the log.\n`);
      break;
    }
    parts.push(row);
  }
  return parts.join('');
}

/** @param {Outcome} outcome */
function formatRow({ file, what, title, url, status, notices }) {
  const name = escapeMarkdown(title ?? '');
  const address = toHttpUrl(url);
  const article = address === null ? name : `[${name === '' ? 'article' : name}](<${address}>)`;
  const state = status === undefined || status === 'PUBLISHED' ? WORDS[what] : `saved as ${escapeMarkdown(status)}`;
  const told = notices.map(
    ({ level, line, message }) =>
      `<br>${level === 'notice' ? '' : `${level}: `}${line === undefined ? '' : `line ${line}: `}${escapeMarkdown(message)}`,
  );
  return `| ${escapeMarkdown(file)} | ${state} | ${article}${told.join('')} |\n`;
}

/**
 * Every sign that may mean something in Markdown or HTML is escaped, in one line.
 *
 * @param {string} text
 */
function escapeMarkdown(text) {
  return toHarmlessLine(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** @param {string | undefined} text */
function toHttpUrl(text) {
  if (text === undefined || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  // A table ends its cell there, even within an address.
  return protocol === 'https:' || protocol === 'http:' ? href.replaceAll('|', '%7C').replaceAll('\\', '%5C') : null;
}
