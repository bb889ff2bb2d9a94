/** How far an import has come. Every step is written when it is done, so that a run that is cut anywhere goes on where it was. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { toStorable } from '../db/storable.ts';
import type { DB } from '../db/types.ts';

/** Null where it is gone, with its author. */
export async function loadImport(db: Database, importId: string) {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', importId).executeTakeFirst();
  return row ?? null;
}

export type ImportRow = NonNullable<Awaited<ReturnType<typeof loadImport>>>;

/** So often in a row; then the others have their turn before it. */
export const A_TURN = 4;

/** The oldest that is open: parts of a series come in their order. Those that failed for a whole turn come last. Null where none is open. */
export async function findOpenItem(db: Database, importId: string) {
  return (await selectOldest(db, importId, A_TURN)) ?? (await selectOldest(db, importId, null));
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

/** Counts it before it is tried: one that takes its worker with it is not tried for ever. */
export function countAttempt(db: Database, item: Pick<OpenItem, 'importId' | 'number'>): Promise<void> {
  return addAttempts(db, item, 1);
}

/** It could not be tried, through no fault of its own. */
export function uncountAttempt(db: Database, item: Pick<OpenItem, 'importId' | 'number'>): Promise<void> {
  return addAttempts(db, item, -1);
}

/** Its turn is over, so that the others come before it. False where it was already. */
export async function endTurn(
  db: Database,
  { importId, number }: Pick<OpenItem, 'importId' | 'number'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importItems')
    .set({ attempts: A_TURN })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('attempts', '<', A_TURN)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function addAttempts(
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

/** The source is asked again then. */
export async function noteWait(db: Database, importId: string, until: Date): Promise<void> {
  await db
    .updateTable('imports')
    .set({ waitsUntil: until })
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .execute();
}

/** Does nothing to one that has ended. */
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
    if (numUpdatedRows > 0n) await forgetPosts(tx, importId);
  });
}

/** What was listed and never came to its turn: nobody reads it any more. */
export async function forgetPosts(tx: Transaction<DB>, importId: string): Promise<void> {
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
