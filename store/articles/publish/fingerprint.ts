/**
 * Fingerprint of an article's content and state, to recognise a publish that changes nothing. A
 * command that changes the state renews it. Then publishing the former document is a change, and
 * publishing an export is not.
 */
import { createHash } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import type { DB } from '../../db/types.ts';
import { COMPARED_FIELDS, type ComparedField } from '../fields.ts';

/** `crossPost` is JSON with the destinations in their fixed order. */
export function buildFingerprint(columns: Record<ComparedField, unknown>): Buffer {
  // Without nulls, a field that a later release adds changes no stored fingerprint.
  const compared = Object.fromEntries(
    COMPARED_FIELDS.flatMap((name) => (columns[name] === null ? [] : [[name, columns[name]]])),
  );
  return createHash('sha256').update(JSON.stringify(compared)).digest();
}

/** Fingerprint of a stored or future row. */
export function buildRowFingerprint(row: Pick<Selectable<DB['articles']>, ComparedField>): Buffer {
  const crossPost = JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, row.crossPost[key]])));
  // A publish clears `imported`, so the row is compared without it.
  return buildFingerprint({ ...row, crossPost, imported: false });
}

/** The caller must hold the lock on the author's row. */
export async function renewFingerprint(tx: Transaction<DB>, articleId: string): Promise<void> {
  const row = await tx
    .selectFrom('articles')
    .select(COMPARED_FIELDS)
    .where('id', '=', articleId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return;
  const fingerprint = buildRowFingerprint(row);
  await tx.updateTable('articles').set({ fingerprint }).where('id', '=', articleId).execute();
}
