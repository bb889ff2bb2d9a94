/** Makes a platform's messages fit to be shown to an author: one line, bounded, without control characters or secrets. */
import { toPlainLine } from '../format/plain-line.ts';

const LONGEST_REASON = 300;

/** A sentence of ours, which may quote a platform, in at most 300 characters. */
export function formatReason(text: string): string {
  return shorten(toPlainLine(text), LONGEST_REASON);
}

/**
 * The platform's own message as part of a sentence: `“…”`, or "no reason given". Values of `secrets` are redacted,
 * because error messages often repeat what they were sent.
 */
export function quoteRefusal(text: unknown, secrets: Record<string, string>): string {
  if (typeof text !== 'string') return NO_REASON;
  // Cut before anything else: the text is as long as the response allows.
  const line = shorten(redact(toPlainLine(text.slice(0, 4000)), secrets), 180);
  return line === '' ? NO_REASON : `“${line}”`;
}

const NO_REASON = 'no reason given';

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
