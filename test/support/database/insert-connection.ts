/** Inserts a connection that sends nothing, for tests before any send. */
import type { DestinationKey } from '../../../article/types.ts';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import type { TestApi } from '../api/api.ts';

export async function insertConnection(
  { db }: Pick<TestApi, 'db'>,
  userId: string,
  [destination, platform]: [destination: DestinationKey, platform: string],
): Promise<void> {
  const connection = { userId, destination, platform, baseUrl: 'http://127.0.0.1:9' };
  const accountId = await findOrCreateAccount(db, { ...connection, account: { identity: userId, name: null } });
  const values = { ...connection, accountId, credentialsSealed: Buffer.alloc(1) };
  await db.insertInto('connections').values(values).execute();
}
