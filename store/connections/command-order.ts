/**
 * Commands that connect or disconnect a destination, in the order in which their author gave them. A credential is tried before it is stored,
 * which may take long: what the author ordered later holds, whichever ends first.
 *
 * The author's row is locked first: it serialises what has no row yet, two first connections and an article that is being published.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** To be taken when the command comes in; a later command has a higher number, at whichever instance of the API. */
export async function numberCommand(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval('connection_command_numbers') as number`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The sequence connection_command_numbers gave no number.');
  return row.number;
}

/** The author is locked. False, with nothing changed, where a later command has been carried out. */
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
