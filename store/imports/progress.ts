/** The progress of an import. An interrupted run resumes after the last stored step. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { toStorable } from '../db/valid-keys.ts';

/** Null if it was deleted with its author. */
export async function loadImport(db: Database, importId: string) {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', importId).executeTakeFirst();
  return row ?? null;
}

export type ImportRow = NonNullable<Awaited<ReturnType<typeof loadImport>>>;

/** Consecutive attempts before the item moves behind the others. */
export const MAX_ATTEMPTS_PER_ROUND = 4;

/** The oldest open item: parts of a series come in order. Items without attempts left come last. */
export async function findOpenItem(db: Database, importId: string) {
  return (await selectOldest(db, importId, MAX_ATTEMPTS_PER_ROUND)) ?? (await selectOldest(db, importId, null));
}

async function selectOldest(db: Database, importId: string, attemptsBelow: number | null) {
  const item = await db
    .selectFrom('importItems')
    .select(['importId', 'number', 'remoteId', 'post', 'hasBody', 'account', 'attempts'])
    .where('importId', '=', importId)
    .where('outcome', 'is', null)
    .$if(attemptsBelow !== null, (query) => query.where('attempts', '<', attemptsBelow))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return item ?? null;
}

export type OpenItem = NonNullable<Awaited<ReturnType<typeof findOpenItem>>>;

/** Moves the item behind the others. False if it already was. */
export async function deferItem(
  db: Database,
  { importId, number }: Pick<OpenItem, 'importId' | 'number'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importItems')
    .set({ attempts: MAX_ATTEMPTS_PER_ROUND })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('attempts', '<', MAX_ATTEMPTS_PER_ROUND)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Counts before the attempt, so that an item that crashes its worker is not retried for ever. `-1`
 * reverts the count of an attempt that could not start, for a reason outside the item.
 */
export async function countAttempt(
  db: Database,
  { importId, number }: Pick<OpenItem, 'importId' | 'number'>,
  attempts: 1 | -1,
): Promise<void> {
  await db
    .updateTable('importItems')
    .set((eb) => ({ attempts: eb('attempts', '+', attempts) }))
    .where('importId', '=', importId)
    .where('number', '=', number)
    .execute();
}

/** Stores when the source is read again. */
export async function recordWait(db: Database, importId: string, until: Date): Promise<void> {
  await db
    .updateTable('imports')
    .set({ waitsUntil: until })
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .execute();
}

/** Does nothing if the import has ended. */
export async function endImport(
  db: Database,
  { importId, state, reason, now }: { importId: string; state: 'done' | 'failed'; reason: string | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('imports')
      .set({ state, reason: toStorable(reason), endedAt: now, waitsUntil: null })
      .where('id', '=', importId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await erasePosts(tx, importId);
  });
}

/** Erases listed posts without an outcome, which nothing reads after the end. */
export async function erasePosts(tx: Transaction<DB>, importId: string): Promise<void> {
  await tx
    .updateTable('importItems')
    .set({ post: null })
    .where('importId', '=', importId)
    .where('outcome', 'is', null)
    .execute();
}

export async function countItems(db: Database, importId: string): Promise<{ listed: number; done: number }> {
  const { rows } = await sql<{ listed: number; done: number }>`
    select count(*)::int as listed, count(outcome)::int as done from import_items where import_id = ${importId}`.execute(
    db,
  );
  return rows[0] ?? { listed: 0, done: 0 };
}
