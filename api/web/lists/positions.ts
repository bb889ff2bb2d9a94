/** Positions in lists by time, as their cursors hold them. They come from the client, so everything is checked. */
import { isUuid } from '../../../store/db/valid-keys.ts';

/** In microseconds; the database reckons further, and nothing is from later. */
const LAST_MOMENT = 8_000_000_000_000_000;

/** Null where the database would not take it. */
export function readMicros(micros: unknown, id: unknown): { micros: number; id: string } | null {
  const isTime = Number.isSafeInteger(micros) && Math.abs(Number(micros)) < LAST_MOMENT;
  return isTime && typeof id === 'string' && isUuid(id) ? { micros: Number(micros), id } : null;
}
