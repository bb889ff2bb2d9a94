/** Cursors of the list of changes: opaque to those who keep them. */
import type { ChangePosition } from '../../store/changes/list-changes.ts';

const CURSOR = /^([0-9a-f-]{36})\.(\d{1,19})\.(\d{1,18})$/;

export function formatCursor({ epoch, transaction, number }: ChangePosition): string {
  return Buffer.from(`${epoch}.${transaction}.${number}`).toString('base64url');
}

/** Null for what is none of ours. */
export function parseCursor(text: string): ChangePosition | null {
  const [, epoch, transaction, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return epoch && transaction && number ? { epoch, transaction, number } : null;
}
