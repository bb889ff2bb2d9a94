/** Reads names of time zones as people write them. */
import { Temporal } from 'temporal-polyfill';

/** The version of the time zone database, such as `2025c`; later compare greater. May be empty. */
export const ZONE_RULES: string = process.versions.tz ?? '';

/**
 * The name of an IANA zone in its proper case; a link stays (`Asia/Kolkata`). Null for anything
 * else: a fixed offset has no summer time.
 */
export function readZone(text: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
