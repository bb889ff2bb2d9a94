/** Formats the job summary: the outcome of each file as Markdown. Escapes titles and file names. */
import { escapeLine } from './runner.mjs';

/** @typedef {import('./publish-changes.mjs').Outcome} Outcome */

/** A step may write 1 MiB. The runner drops a longer summary completely. */
const MAX_CHARACTERS = 250_000;

/** @type {Record<Outcome['what'], string>} */
const LABELS = {
  created: 'published, new',
  updated: 'published, updated',
  checked: 'can be published',
  invalid: '**cannot be published**',
  failed: '**failed**',
  'not published': 'not published',
  deleted: 'deleted; its article is unchanged',
};

/** @type {(report: { headline: string, reasons: string[], outcomes: Outcome[] }) => string} */
export function formatSummary({ headline, reasons, outcomes }) {
  const parts = [`## ${escapeMarkdown(headline)}\n\n`, ...reasons.map((reason) => `${escapeMarkdown(reason)}\n\n`)];
  if (outcomes.length > 0) parts.push('| File | Outcome | Article |\n|---|---|---|\n');
  let remaining = MAX_CHARACTERS;
  for (const [index, outcome] of outcomes.entries()) {
    const row = formatRow(outcome);
    remaining -= row.length;
    if (remaining < 0) {
      parts.push(`\n${outcomes.length - index} more: see the log.\n`);
      break;
    }
    parts.push(row);
  }
  return parts.join('');
}

/** @type {(outcome: Outcome) => string} */
function formatRow({ file, what, title, url, status, notices }) {
  const name = escapeMarkdown(title ?? '');
  const address = toHttpUrl(url);
  const article = address === null ? name : `[${name === '' ? 'article' : name}](<${address}>)`;
  const state = status === undefined || status === 'PUBLISHED' ? LABELS[what] : `saved as ${escapeMarkdown(status)}`;
  const messages = notices.map(
    ({ level, line, message }) =>
      `<br>${level === 'notice' ? '' : `${level}: `}${line === undefined ? '' : `line ${line}: `}${escapeMarkdown(message)}`,
  );
  return `| ${escapeMarkdown(file)} | ${state} | ${article}${messages.join('')} |\n`;
}

/**
 * Escapes every character with a meaning in Markdown or HTML, and joins lines.
 *
 * @type {(text: string) => string}
 */
function escapeMarkdown(text) {
  return escapeLine(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** @type {(text: string | undefined) => string | null} */
function toHttpUrl(text) {
  if (text === undefined || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  // A `|` ends a table cell, even within an address.
  return protocol === 'https:' || protocol === 'http:' ? href.replaceAll('|', '%7C').replaceAll('\\', '%5C') : null;
}
