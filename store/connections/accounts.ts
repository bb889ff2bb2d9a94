/**
 * Accounts at destinations, known by the stable ids of a probe. What an account or its address is called may change, and another account may
 * take over a name; neither changes whose posts are whose.
 */
import type { Kysely } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

export interface ProbedIdentity {
  /** Stable ids: the same for every probe of one account, different for two accounts. */
  identity: string;
  /** What people call it. */
  name: string | null;
}

interface Whose {
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  /** Null where the account was not asked who it is. */
  account: ProbedIdentity | null;
}

/**
 * The account's row, made where there is none. An account that was connected without a probe is only known by its address; the first probe
 * there says who it is.
 */
export async function provideAccount(db: Kysely<DB>, whose: Whose): Promise<string> {
  const { userId, destination, platform, baseUrl, account } = whose;
  const unverified = `unverified:${baseUrl}`;
  const known = await findAccount(db, whose, [account?.identity ?? unverified]);
  if (known && account) {
    await db.updateTable('accounts').set({ name: account.name }).where('id', '=', known).execute();
  }
  if (known) return known;
  if (account) {
    const names = [account.name, account.identity].filter((name) => name !== null);
    const former = await findAccount(db, whose, [unverified, ...names.map((name) => `${unverified}#${name}`)]);
    if (former) {
      await db.updateTable('accounts').set(account).where('id', '=', former).execute();
      return former;
    }
  }
  const values = { userId, destination, platform, identity: unverified, name: null, ...account };
  const { id } = await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

async function findAccount(
  db: Kysely<DB>,
  { userId, destination, platform }: Whose,
  identities: string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .where('platform', '=', platform)
    .where('identity', 'in', identities)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst();
  return row?.id;
}
