/** Formats and parses the cursors of the list of changes, which are opaque to clients. */
import type { ChangePosition } from '../../store/changes/list-changes.ts';

/** Accepts a further number in the middle: such a cursor belongs to an epoch that has ended. */
const CURSOR = /^([0-9a-f-]{36})\.(?:\d{1,19}\.)?(\d{1,15})$/;

export function formatCursor({ epoch, number }: ChangePosition): string {
  return Buffer.from(`${epoch}.${number}`).toString('base64url');
}

/** Returns null for a text that is no cursor of this site. */
export function parseCursor(text: string): ChangePosition | null {
  const [, epoch, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return epoch && number ? { epoch, number: Number(number) } : null;
}
