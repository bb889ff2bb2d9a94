/** Reads `scheduled_at`: ISO 8601 as authors write it, checked against the calendar. */
import type { Notice } from '../types.ts';
import { readZonedTime } from './zoned-time.ts';

export interface PublishTime {
  at: Date;
  /** False if the author wrote no offset and UTC is assumed. */
  hasOffset: boolean;
  /** The IANA zone or the offset as written; null for UTC. */
  zone: string | null;
  /** The clocks of the zone show this time twice on that day. `at` is the first one. */
  isTwice: boolean;
}

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?\s*(?:\[([^\]]{1,100})\])?$/;
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

/** Warnings about how a time was read. `field` is the field that contained it. */
export function listTimeWarnings({ at, hasOffset, isTwice, zone }: PublishTime, field: string): Notice[] {
  const warnings: Notice[] = [];
  if (!hasOffset) {
    const message = `${field} has no offset and is read as UTC: ${at.toISOString()}.`;
    warnings.push({ code: 'time_without_offset', path: field, message });
  }
  if (isTwice) {
    const message = `That time occurs twice in ${zone} on that day; the first is used: ${at.toISOString()}.`;
    warnings.push({ code: 'time_ambiguous', path: field, message });
  }
  return warnings;
}

/** The time, or the end of a sentence that describes the problem. A date alone means midnight. */
export function readPublishTime(text: string): PublishTime | { problem: string } {
  const match = FORM.exec(text.trim());
  if (match === null) {
    return {
      problem:
        'must be a time in ISO 8601, such as 2026-12-01T09:00:00Z, 2026-12-01T10:00:00+01:00 or 2026-12-01T10:00[Europe/Berlin]',
    };
  }
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  if (year < FIRST_YEAR || year > LAST_YEAR)
    return { problem: `must be between the years ${FIRST_YEAR} and ${LAST_YEAR}` };
  if (month < 1 || month > 12 || day < 1 || day > countDays(year, month)) {
    return { problem: `has a day that does not exist (${match[1]}-${match[2]}-${match[3]})` };
  }
  if (hour > 23 || minute > 59 || second > 59) {
    return {
      problem: `has a time of day that does not exist (${match[4]}:${match[5]}${match[6] ? `:${match[6]}` : ''})`,
    };
  }
  if (match[9] !== undefined) return readInZone(match, match[9]);
  const offset = readOffset(match[8]);
  if (offset === 'invalid') return { problem: `has an offset that does not exist (${match[8]})` };
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const zone = offset === null || offset === 0 ? null : (match[8] ?? null);
  return { at: new Date(local - (offset ?? 0) * 60_000), hasOffset: offset !== null, zone, isTwice: false };
}

function readInZone(match: RegExpExecArray, zone: string): PublishTime | { problem: string } {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset = null] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}`;
  const read = readZonedTime(local, zone, offset);
  return 'problem' in read ? read : { ...read, hasOffset: true };
}

type Six = [number, number, number, number, number, number];

function countDays(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function readOffset(text: string | undefined): number | null | 'invalid' {
  if (text === undefined) return null;
  if (/^(?:z|utc|gmt)$/i.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return 'invalid';
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
