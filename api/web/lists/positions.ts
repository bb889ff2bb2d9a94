/** Validates cursor positions in lists ordered by time, which clients can change. */
import { isUuid } from '../../../store/db/valid-keys.ts';

/** In microseconds: below the limit of the database, and later than any row. */
const MAX_MICROS = 8_000_000_000_000_000;

/** Returns null for values that the database would reject. */
export function readTimePosition(micros: unknown, id: unknown): { micros: number; id: string } | null {
  const isTime = Number.isSafeInteger(micros) && Math.abs(Number(micros)) < MAX_MICROS;
  return isTime && typeof id === 'string' && isUuid(id) ? { micros: Number(micros), id } : null;
}
