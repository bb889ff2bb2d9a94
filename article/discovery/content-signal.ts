/**
 * Parses, formats and combines `Content-Signal` values (contentsignals.org): what agents may do
 * with a text. A use without a value is neither allowed nor forbidden.
 */

/** In output order: found by a search, read by a model that answers, used for training. */
export const SIGNAL_USES = ['search', 'ai-input', 'ai-train'] as const;
export type SignalUse = (typeof SIGNAL_USES)[number];
export type ContentSignal = Partial<Record<SignalUse, boolean>>;

export const SIGNAL_FORM = 'search, ai-input and ai-train with yes or no, like "search=yes, ai-input=yes, ai-train=no"';

/** Parses `search=yes, ai-train=no`; '' is an empty signal. Null for an unknown or repeated use. */
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

/** The only spelling in the header, in `robots.txt` and in the database. '' for an empty signal. */
export function formatContentSignal(signal: ContentSignal): string {
  return SIGNAL_USES.flatMap((use) => (signal[use] === undefined ? [] : [`${use}=${signal[use] ? 'yes' : 'no'}`])).join(
    ', ',
  );
}

/** Combines signals: one `no` overrides every `yes`. */
export function joinContentSignals(...signals: readonly ContentSignal[]): ContentSignal {
  const joined: ContentSignal = {};
  for (const use of SIGNAL_USES) {
    const values = signals.map((signal) => signal[use]).filter((word) => word !== undefined);
    if (values.length > 0) joined[use] = values.every(Boolean);
  }
  return joined;
}

/** Combines the signals of the site, the author and the article, the latter two as stored. */
export function decideContentSignal(
  site: ContentSignal,
  { authorSignal, contentSignal }: { authorSignal: string | null; contentSignal: string | null },
): ContentSignal {
  return joinContentSignals(site, readStoredSignal(authorSignal), readStoredSignal(contentSignal));
}

/** Stored signals are valid: they are checked when they are written. */
function readStoredSignal(text: string | null): ContentSignal {
  return parseContentSignal(text ?? '') ?? {};
}
