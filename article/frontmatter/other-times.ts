/** Reads times under keys of other tools, in the forms that those tools read: only whether they have come. */
import { readPublishTime } from './publish-time.ts';

/** A time without an offset is one of the author's own clock, which may be this much ahead of UTC or behind it. */
const WIDEST_OFFSET_MS = 14 * 3_600_000;

/** True if the time is in the future wherever its author is. False for what is not a time. */
export function isClearlyFuture(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at - (time.hasOffset ? 0 : WIDEST_OFFSET_MS) > now.getTime();
}

/** True if the time is over wherever its author is. */
export function isClearlyPast(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at + (time.hasOffset ? 0 : WIDEST_OFFSET_MS) <= now.getTime();
}

export function isSomeTime(text: string): boolean {
  return readOtherTime(text) !== null;
}

function readOtherTime(given: string): { at: number; hasOffset: boolean } | null {
  const text = given.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (text.length > 60) return null;
  if (/^\d{10}(?:\d{3})?$/.test(text)) return { at: Number(text.padEnd(13, '0')), hasOffset: true };
  const read = readPublishTime(text.replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/, toIsoDate));
  if (!('problem' in read)) return { at: read.at.getTime(), hasOffset: read.hasOffset };
  // "24 December 2026", "12/24/2026": what no rule of ours reads, with a year so that it is no number of another kind.
  if (!/\b\d{4}\b/.test(text) || !/^[\p{L}\d]/u.test(text)) return null;
  const local = Date.parse(`${text} UTC`);
  if (!Number.isNaN(local)) return { at: local, hasOffset: false };
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : { at, hasOffset: true };
}

function toIsoDate(_all: string, year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
