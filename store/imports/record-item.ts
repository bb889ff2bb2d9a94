/** Records the outcome of one post, once: a later record changes nothing. */
import type { Transaction } from 'kysely';
import type { ImportRefusalCode } from '../../article/import/refusal-codes.ts';
import type { Notice } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB, ImportOutcome } from '../db/types.ts';
import { toStorable } from '../db/valid-keys.ts';

export interface ItemKey {
  importId: string;
  number: number;
}

export interface ItemRecord {
  outcome: ImportOutcome;
  articleId?: string | null;
  code?: ImportRefusalCode | null;
  reason?: string | null;
  warnings?: readonly Notice[];
  adopted?: boolean;
}

export async function recordItem(
  db: Database | Transaction<DB>,
  { importId, number }: ItemKey,
  { outcome, articleId = null, code = null, reason = null, warnings = [], adopted = false }: ItemRecord,
  now: Date,
): Promise<void> {
  await db
    .updateTable('importItems')
    .set({
      outcome,
      articleId,
      code,
      reason: toStorable(reason?.slice(0, 1_000) ?? null),
      warnings: JSON.stringify(toStorable(warnings)),
      adopted,
      post: null,
      endedAt: now,
    })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('outcome', 'is', null)
    .execute();
}
