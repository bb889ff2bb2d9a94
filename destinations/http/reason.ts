/** Prepares a platform's messages for an author: one bounded line without secrets. */
import { toPlainLine } from '../format/plain-line.ts';

const MAX_REASON_CHARACTERS = 300;

/** Limits a sentence, which may quote a platform, to one line of at most 300 characters. */
export function formatReason(text: string): string {
  return shorten(toPlainLine(text), MAX_REASON_CHARACTERS);
}

/** Part of a sentence: `“…”`, or "no reason stated". Messages often repeat `secrets`. */
export function quoteRefusal(text: unknown, secrets: Record<string, string>): string {
  if (typeof text !== 'string') return NO_REASON;
  // Cut first: the text is as long as the response allows.
  const line = shorten(redact(toPlainLine(text.slice(0, 4000)), secrets), 180);
  return line === '' ? NO_REASON : `“${line}”`;
}

const NO_REASON = 'no reason stated';

function redact(text: string, secrets: Record<string, string>): string {
  let clean = text;
  for (const secret of Object.values(secrets)) {
    // Very short values ("1") would redact parts of ordinary words.
    if (secret.length >= 6) clean = clean.replaceAll(secret, '•••');
  }
  return clean;
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}
