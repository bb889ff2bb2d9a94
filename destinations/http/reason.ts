/** Makes a remote service's words fit for an author's eyes: one line, bounded, without control characters or secrets. */

const LONGEST_REASON = 300;

/**
 * A sentence of ours, or one that quotes a platform, in at most 300 characters. Values of `secrets` are blotted out
 * wherever they stand, because error messages like to repeat what they were sent.
 */
export function authorReason(text: string, secrets: Record<string, string> = {}): string {
  return shorten(blot(plainLine(text), secrets), LONGEST_REASON);
}

/** What a platform said, as part of a sentence: `“…”`, or an empty string where it said nothing readable. */
export function quoteRemote(text: unknown, secrets: Record<string, string>): string {
  if (typeof text !== 'string') return '';
  // Cut before anything else: the text is as long as the response allows.
  const line = shorten(blot(plainLine(text.slice(0, 4000)), secrets), 180);
  return line === '' ? '' : `“${line}”`;
}

/** Terminal escapes, control and direction-changing characters removed; white space folded. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(ANSI_SEQUENCE, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const ANSI_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are made of them
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,64}[@-~]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)/g;

function blot(text: string, secrets: Record<string, string>): string {
  let clean = text;
  for (const secret of Object.values(secrets)) {
    // Very short values ("1") would blot ordinary words.
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
