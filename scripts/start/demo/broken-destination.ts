/**
 * Connects a broken destination, so that the desk has a problem to solve: the third person's
 * Hashnode account has no paid plan. The public interface would reject it, so it is stored as if
 * the plan had ended.
 */

import { FREE_HASHNODE_PUBLICATION, FREE_HASHNODE_TOKEN } from '../../../sandbox/accounts.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';

export async function connectBrokenDestination(
  db: Database,
  sealer: Sealer,
  { userId, sandboxUrl }: { userId: string; sandboxUrl: string },
): Promise<void> {
  const present = await db.selectFrom('connections').select('id').where('userId', '=', userId).executeTakeFirst();
  if (present) return;
  await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_b',
    platform: 'hashnode',
    baseUrl: `${sandboxUrl}/hashnode`,
    credentials: { token: FREE_HASHNODE_TOKEN, publicationId: FREE_HASHNODE_PUBLICATION },
    account: { identity: FREE_HASHNODE_PUBLICATION, name: null },
  });
}
