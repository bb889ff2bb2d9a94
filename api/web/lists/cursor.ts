/**
 * Cursors of lists: the position after which the next page begins. A cursor names its list by a
 * hash and is valid for no other. Clients can change it, so callers validate its position.
 */
import { createHash } from 'node:crypto';
import { isUuid } from '../../../store/db/valid-keys.ts';

const MAX_CURSOR_CHARACTERS = 1_000;
/** In microseconds: below the limit of the database, and later than any row. */
const MAX_MICROS = 8_000_000_000_000_000;

export function nameList(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

/** `list` is a result of `nameList`. */
export function writeCursor(list: string, position: object): string {
  return Buffer.from(JSON.stringify([list, position])).toString('base64url');
}

export function readCursor(cursor: string): { list: string; position: Record<string, unknown> } | null {
  const [list, position] = decode(cursor.slice(0, MAX_CURSOR_CHARACTERS));
  if (typeof list !== 'string' || typeof position !== 'object' || position === null) return null;
  return { list, position: position as Record<string, unknown> };
}

/** A position in a list ordered by time. Null for values that the database would reject. */
export function readTimePosition(micros: unknown, id: unknown): { micros: number; id: string } | null {
  return isMicros(micros) && isId(id) ? { micros, id } : null;
}

export function isMicros(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) < MAX_MICROS;
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
