/** Cursors of the list of changes: opaque to those who keep them. */
import type { ChangePosition } from '../../store/changes/list-changes.ts';

/** Those of earlier releases had another number in the middle; they are of an epoch that has ended. */
const CURSOR = /^([0-9a-f-]{36})\.(?:\d{1,19}\.)?(\d{1,15})$/;

export function formatCursor({ epoch, number }: ChangePosition): string {
  return Buffer.from(`${epoch}.${number}`).toString('base64url');
}

/** Null for what is none of ours. */
export function parseCursor(text: string): ChangePosition | null {
  const [, epoch, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return epoch && number ? { epoch, number: Number(number) } : null;
}
