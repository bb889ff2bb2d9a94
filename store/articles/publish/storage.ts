/** Limits and counts the bytes of an author's documents. The author's row lock guards the count. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../../commands/refused-command.ts';
import type { DB } from '../../db/types.ts';

export interface StorageChange {
  /** All articles of the author. */
  usedBytes: number;
  /** This article before the change; 0 for a new one. */
  oldBytes: number;
  newBytes: number;
}

/** Throws STORAGE_FULL if the limit would be exceeded. One that does not grow always passes. */
export function requireStorage({ usedBytes, oldBytes, newBytes }: StorageChange, limitBytes: number): void {
  const total = usedBytes - oldBytes + newBytes;
  if (newBytes <= oldBytes || total <= limitBytes) return;
  const message = `Your articles use ${usedBytes} of ${limitBytes} bytes; with this document they would use ${total}. Nothing was changed. Delete or shorten some articles, or request more storage from the operator.`;
  throw new RefusedCommandError('STORAGE_FULL', message);
}

/** The caller's transaction must hold the lock on the author's row. */
export async function countStoredBytes(db: Kysely<DB>, authorId: string, difference: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ storedBytes: sql<number>`stored_bytes + ${difference}` })
    .where('id', '=', authorId)
    .execute();
}
