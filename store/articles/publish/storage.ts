/** How much an author may keep here: the bytes of all documents as they were sent. Counted in the author's row, whose lock every change holds. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../../commands/refused-command.ts';
import type { DB } from '../../db/types.ts';

export interface StorageChange {
  /** Of all articles of the author. */
  usedBytes: number;
  /** Of this article until now; 0 for a new one. */
  oldBytes: number;
  newBytes: number;
}

/** Throws where the limit would be exceeded. What takes no more room than before is always taken, however low the limit is now. */
export function requireRoom({ usedBytes, oldBytes, newBytes }: StorageChange, limitBytes: number): void {
  const total = usedBytes - oldBytes + newBytes;
  if (newBytes <= oldBytes || total <= limitBytes) return;
  const message = `Your articles hold ${usedBytes} bytes, of ${limitBytes} that you may keep here; with this document they would hold ${total}. Nothing was changed. Delete articles that you no longer need or shorten some, or ask the operator for more.`;
  throw new RefusedCommandError('STORAGE_FULL', message);
}

/** In a transaction that holds the lock on the author's row. */
export async function countStoredBytes(db: Kysely<DB>, authorId: string, difference: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ storedBytes: sql<number>`stored_bytes + ${difference}` })
    .where('id', '=', authorId)
    .execute();
}
