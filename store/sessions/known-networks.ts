/**
 * The networks that an account has signed in from. A session stores a keyed hash of account and
 * network, which does not reveal the address and differs per account.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** `key`: the refresh-token key; the prefix separates the two uses. */
export function hashNetwork(key: Buffer, { userId, network }: { userId: string; network: string }): Buffer {
  return createHmac('sha256', key).update(`network\n${userId}\n${network}`).digest();
}

/** Whether a stored session of the account with this address was opened from this network. */
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
