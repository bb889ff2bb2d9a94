/** Reads times in the formats of other tools, only to decide whether they are past or future. */
import { readPublishTime } from './publish-time.ts';

/**
 * A time without an offset is the author's local time, which differs from UTC by at most this much.
 */
const MAX_OFFSET_MS = 14 * 3_600_000;

/** True if the time is in the future in every time zone. False for text that is no time. */
export function isClearlyFuture(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at - (time.hasOffset ? 0 : MAX_OFFSET_MS) > now.getTime();
}

/** True if the time is in the past in every time zone. */
export function isClearlyPast(text: string, now: Date): boolean {
  const time = readOtherTime(text);
  return time !== null && time.at + (time.hasOffset ? 0 : MAX_OFFSET_MS) <= now.getTime();
}

export function isSomeTime(text: string): boolean {
  return readOtherTime(text) !== null;
}

function readOtherTime(value: string): { at: number; hasOffset: boolean } | null {
  const text = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (text.length > 60) return null;
  if (/^\d{10}(?:\d{3})?$/.test(text)) return { at: Number(text.padEnd(13, '0')), hasOffset: true };
  const read = readPublishTime(text.replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/, toIsoDate));
  if (!('problem' in read)) return { at: read.at.getTime(), hasOffset: read.hasOffset };
  // "24 December 2026", "12/24/2026": the engine reads these. The year excludes other numbers.
  if (!/\b\d{4}\b/.test(text) || !/^[\p{L}\d]/u.test(text)) return null;
  const local = Date.parse(`${text} UTC`);
  if (!Number.isNaN(local)) return { at: local, hasOffset: false };
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : { at, hasOffset: true };
}

function toIsoDate(_all: string, year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
