/**
 * The salt that hashes the visitors of a day, shared by all API instances. It is deleted with all
 * hashes after the day. After that, the database does not reveal who read which article.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';

/** Days are in UTC. Page views that arrive at midnight are written a little later. */
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

/** Deletes the salts of past days, and with them the hashes of their visitors. */
export async function sweepDaySalts(db: Database, now: Date): Promise<void> {
  const day = toUtcDay(new Date(now.getTime() - GRACE_MS));
  await db.deleteFrom('readingSalts').where('day', '<', day).execute();
}

export function toUtcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
