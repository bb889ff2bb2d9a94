/**
 * From which networks an account was signed in to. A session stores a keyed hash of account and network: the address cannot be read back from the
 * database, and equal networks of two accounts look different.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** `key`: that of refresh tokens, none of which begins with these words. */
export function hashNetwork(key: Buffer, { userId, network }: { userId: string; network: string }): Buffer {
  return createHmac('sha256', key).update(`network\n${userId}\n${network}`).digest();
}

/** Whether somebody signed in from this network to the account that has this address, as far back as sessions are stored. */
export async function isKnownNetwork(
  db: Database,
  key: Buffer,
  { email, network }: { email: string; network: string },
): Promise<boolean> {
  const { rows } = await sql<{ userId: string; network: Buffer }>`
    select distinct s.user_id, s.network from sessions s join users u on u.id = s.user_id
    where lower(u.email) = lower(${email}) and s.network is not null`.execute(db);
  return rows.some((row) => hashNetwork(key, { userId: row.userId, network }).equals(row.network));
}
