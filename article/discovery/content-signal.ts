/**
 * What agents may do with a text, as its author or the site says it: the words of `Content-Signal` (contentsignals.org). A use that is not
 * named is neither allowed nor forbidden.
 */

/** In the order in which they are written: found by a search, read by a model that answers, learned from. */
export const SIGNAL_USES = ['search', 'ai-input', 'ai-train'] as const;
export type SignalUse = (typeof SIGNAL_USES)[number];
export type ContentSignal = Partial<Record<SignalUse, boolean>>;

/** For messages about a signal that cannot be read. */
export const SIGNAL_FORM = 'search, ai-input and ai-train with yes or no, like "search=yes, ai-input=yes, ai-train=no"';

/** `search=yes, ai-train=no`; the empty text says nothing. Null if anything of it is not understood, or a use is named twice. */
export function parseContentSignal(text: string): ContentSignal | null {
  const signal: ContentSignal = {};
  if (text.trim() === '') return signal;
  for (const part of text.split(',')) {
    const [, name, word] = /^\s*([a-z-]+)\s*=\s*(yes|no)\s*$/i.exec(part) ?? [];
    const use = SIGNAL_USES.find((known) => known === name?.toLowerCase());
    if (use === undefined || signal[use] !== undefined) return null;
    signal[use] = word?.toLowerCase() === 'yes';
  }
  return signal;
}

/** The value of the header, of the line of `robots.txt` and of the column: one spelling for each meaning. Empty if it says nothing. */
export function formatContentSignal(signal: ContentSignal): string {
  return SIGNAL_USES.flatMap((use) => (signal[use] === undefined ? [] : [`${use}=${signal[use] ? 'yes' : 'no'}`])).join(
    ', ',
  );
}

/** The stricter counts: one no is a no, whoever says it. */
export function joinContentSignals(...signals: readonly ContentSignal[]): ContentSignal {
  const joined: ContentSignal = {};
  for (const use of SIGNAL_USES) {
    const said = signals.map((signal) => signal[use]).filter((word) => word !== undefined);
    if (said.length > 0) joined[use] = said.every(Boolean);
  }
  return joined;
}

/** What holds for an article: what the site says, its author of all texts, and the article itself, the latter two as their columns have it. */
export function decideContentSignal(
  site: ContentSignal,
  { authorSignal, contentSignal }: { authorSignal: string | null; contentSignal: string | null },
): ContentSignal {
  return joinContentSignals(site, readStoredSignal(authorSignal), readStoredSignal(contentSignal));
}

/** It was checked when it was written. */
function readStoredSignal(text: string | null): ContentSignal {
  return parseContentSignal(text ?? '') ?? {};
}
