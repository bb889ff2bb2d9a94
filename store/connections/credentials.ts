/** Seals and opens the credentials of connections. */
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
  /** The credential version. */
  version: number;
  credentials: Record<string, string>;
}

/** With decrypted credentials, for one call: never log or return them. Null if it was deleted. */
export async function openConnection(db: Database, sealer: Sealer, id: string): Promise<OpenedConnection | null> {
  const row = await db
    .selectFrom('connections')
    .select(['id', 'userId', 'destination', 'platform', 'baseUrl', 'version', 'credentialsSealed'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { credentialsSealed, ...rest } = row;
  const plain = sealer.open(credentialsSealed, buildSealContext(rest));
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

/** Authenticated with the credentials, so that they do not open for another user or server. */
type SealedFields = Pick<OpenedConnection, 'userId' | 'destination' | 'platform' | 'baseUrl'>;

export function sealCredentials(
  sealer: Sealer,
  { credentials, ...fields }: SealedFields & Pick<OpenedConnection, 'credentials'>,
): Buffer {
  return sealer.seal(JSON.stringify(credentials), buildSealContext(fields));
}

/** Reseals credentials not sealed with the current key; returns how many. Throws `SealError`. */
export async function resealCredentials(db: Database, sealer: Sealer): Promise<number> {
  const ids = await db.selectFrom('connections').select('id').execute();
  let resealed = 0;
  for (const { id } of ids) if (await reseal(db, sealer, id)) resealed += 1;
  return resealed;
}

function reseal(db: Database, sealer: Sealer, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('connections')
      .select(['userId', 'destination', 'platform', 'baseUrl', 'credentialsSealed'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row || sealer.isCurrent(row.credentialsSealed)) return false;
    const plain = sealer.open(row.credentialsSealed, buildSealContext(row));
    const credentialsSealed = sealer.seal(plain, buildSealContext(row));
    await tx.updateTable('connections').set({ credentialsSealed }).where('id', '=', id).execute();
    return true;
  });
}

function buildSealContext({ userId, destination, platform, baseUrl }: SealedFields): string {
  return JSON.stringify(['connection', userId, destination, platform, baseUrl]);
}
