/**
 * Orders an author's connect and disconnect commands. A credential is probed before it is stored,
 * which can take long, so the latest command wins, even if it ends first. Callers lock the author's
 * row first, which also serialises first connections and publishes.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** Call it when a command arrives. Later commands have higher numbers on all API instances. */
export async function issueCommandNumber(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval('connection_command_numbers') as number`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The sequence connection_command_numbers returned no number.');
  return row.number;
}

/** Requires a lock on the author. False, without a change, if a later command was executed. */
export async function recordCommand(
  tx: Transaction<DB>,
  { userId, destination, number }: { userId: string; destination: DestinationKey; number: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('connectionCommands')
    .values({ userId, destination, number })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'destination'])
        .doUpdateSet({ number })
        .where('connectionCommands.number', '<', number),
    )
    .returning('number')
    .executeTakeFirst();
  return row !== undefined;
}
