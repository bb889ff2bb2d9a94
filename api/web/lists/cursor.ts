/**
 * Cursors: where a page of a list ends, for the next one to begin behind it. A cursor is good for its own list only, which it names by a hash
 * of what makes the list another than others, and is nothing secret. It comes from the client, so whoever reads one checks what it holds.
 */
import { createHash } from 'node:crypto';

const LONGEST = 1_000;

export function nameList(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

/** `list` is the name of the list. */
export function writeCursor(list: string, position: object): string {
  return Buffer.from(JSON.stringify([list, position])).toString('base64url');
}

/** Null for what is no cursor. */
export function readCursor(cursor: string): { list: string; position: Record<string, unknown> } | null {
  const [list, position] = decode(cursor.slice(0, LONGEST));
  if (typeof list !== 'string' || typeof position !== 'object' || position === null) return null;
  return { list, position: position as Record<string, unknown> };
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
