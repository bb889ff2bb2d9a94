/** The credentials of a connection: sealed at rest, opened for one call. */
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { findConnection } from './list.ts';

export interface OpenedConnection {
  id: string;
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  /** Counts the credentials of this connection. */
  credentialVersion: number;
  credentials: Record<string, string>;
}

/** A connection with its credentials in the clear, for one call; null if it is gone. Must not be logged or returned by an activity. */
export async function openConnection(db: Database, sealer: Sealer, id: string): Promise<OpenedConnection | null> {
  const row = await db
    .selectFrom('connections')
    .select([
      'id',
      'userId',
      'destination',
      'platform',
      'baseUrl',
      'generation as credentialVersion',
      'credentialsSealed',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { credentialsSealed, ...rest } = row;
  const plain = sealer.open(credentialsSealed, buildSealContext(row.userId, row.destination));
  return { ...rest, credentials: JSON.parse(plain) as Record<string, string> };
}

/** As `openConnection`, by author and destination. */
export async function findOpenConnection(
  db: Database,
  sealer: Sealer,
  userId: string,
  destination: DestinationKey,
): Promise<OpenedConnection | null> {
  const row = await findConnection(db, userId, destination);
  return row ? openConnection(db, sealer, row.id) : null;
}

export function sealCredentials(
  sealer: Sealer,
  { userId, destination, credentials }: Pick<OpenedConnection, 'userId' | 'destination' | 'credentials'>,
): Buffer {
  return sealer.seal(JSON.stringify(credentials), buildSealContext(userId, destination));
}

function buildSealContext(userId: string, destination: DestinationKey): string {
  return `connection/${userId}/${destination}`;
}
