/** Names of time zones, as people write them. */
import { Temporal } from 'temporal-polyfill';

/**
 * The name of an IANA zone in its proper case, links kept as they are (`Asia/Kolkata`); null for anything else. A fixed offset (`+02:00`) is
 * no zone: it says nothing about summer.
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
