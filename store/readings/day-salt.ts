/**
 * The salt with which the visitors of a day are hashed, the same for all API instances. It is thrown away with all hashes once the day is over:
 * from then on nobody can find out who read what, with the database or without.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';

/** Days are those of UTC; of readings that arrived at midnight the last are written a little later. */
const GRACE_MS = 10 * 60_000;

export async function findDaySalt(db: Database, day: string): Promise<Buffer> {
  await db
    .insertInto('readingSalts')
    .values({ day, salt: randomBytes(32) })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const { salt } = await db.selectFrom('readingSalts').select('salt').where('day', '=', day).executeTakeFirstOrThrow();
  return salt;
}

/** Removes the salts of days that are over, and with them who was counted. */
export async function sweepDaySalts(db: Database, now: Date): Promise<void> {
  const day = toUtcDay(new Date(now.getTime() - GRACE_MS));
  await db.deleteFrom('readingSalts').where('day', '<', day).execute();
}

export function toUtcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
