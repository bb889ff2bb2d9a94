/** Reads the names of time zones as people write them. */
import { Temporal } from 'temporal-polyfill';

/**
 * The version of the time zone database in this process, as `2025c`: years and letters, so later ones compare greater. Empty where the
 * runtime does not say.
 */
export const ZONE_RULES: string = process.versions.tz ?? '';

/**
 * The name of an IANA zone in its proper case; names that link to another zone are kept (`Asia/Kolkata`). Null for
 * anything else, also for a fixed offset (`+02:00`), which says nothing about summer time.
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
