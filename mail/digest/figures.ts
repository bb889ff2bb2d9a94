/** Formats counts, durations and their changes for a digest, in English. */
/** A count of the period and of the preceding period of equal length. */
export interface Change {
  now: number;
  before: number;
}

export type Tone = 'up' | 'down' | 'same';

export interface ChangeText {
  text: string;
  tone: Tone;
}

/** 1,284 · 99,999 · 1.2M */
export function formatCount(count: number): string {
  const whole = toWholeNumber(count);
  return whole < 100_000 ? GROUPED.format(whole) : COMPACT.format(whole);
}

/** 0 min · under 1 min · 42 min · 3 h 5 min · 1,204 h */
export function formatDuration(seconds: number): string {
  const whole = toWholeNumber(seconds);
  if (whole === 0) return '0 min';
  if (whole < 60) return 'under 1 min';
  const minutes = Math.floor(whole / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 || hours >= 100 ? `${formatCount(hours)} h` : `${hours} h ${rest} min`;
}

/** Describes a change. Also handles small numbers and a previous value of zero. */
export function describeChange({ now, before }: Change, value: (amount: number) => string = formatCount): ChangeText {
  const [new_, old] = [toWholeNumber(now), toWholeNumber(before)];
  if (new_ === old) return { text: 'unchanged', tone: 'same' };
  const tone = new_ > old ? 'up' : 'down';
  if (old === 0) return { text: `up from ${value(0)}`, tone };
  if (new_ === 0) return { text: `down from ${value(old)}`, tone };
  const sign = tone === 'up' ? '+' : '−';
  const percent = Math.round((Math.abs(new_ - old) / old) * 100);
  // For small numbers the difference is clearer than "+50%". "0%" would hide a change.
  if (old < MIN_PERCENT_BASE || percent === 0) return { text: `${sign}${value(Math.abs(new_ - old))}`, tone };
  if (percent >= 900) return { text: `${formatCount(Math.round(new_ / old))}-fold`, tone };
  // Never "−100%": a count that is now 0 was handled above.
  return { text: `${sign}${tone === 'down' ? Math.min(percent, 99) : percent}%`, tone };
}

/** `1 view`, `2 views`. */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${toWholeNumber(count) === 1 ? one : many}`;
}

/** Below this count, the difference is shown instead of a percentage. */
const MIN_PERCENT_BASE = 20;
const GROUPED = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function toWholeNumber(amount: number): number {
  return Number.isFinite(amount) ? Math.max(0, Math.floor(amount)) : 0;
}
