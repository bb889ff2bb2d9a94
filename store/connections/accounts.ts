/**
 * Accounts at destinations, known by the stable ids of a probe. What an account or its address is called may change, and another account may
 * take over a name; neither changes whose posts are whose.
 */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { mergeAccounts } from './merge-accounts.ts';

export interface ProbedIdentity {
  /** Stable ids: the same for every probe of one account, different for two accounts. */
  identity: string;
  /** What people call it. */
  name: string | null;
  /** By what this very account may have been known before. */
  formerIdentities?: readonly string[];
}

export interface Whose {
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  /** Null where the account was not asked who it is. */
  account: ProbedIdentity | null;
  /** One spelling for the addresses of one place; without it, equal addresses are one place. */
  normalizeBaseUrl?: ((baseUrl: string) => string) | undefined;
}

/**
 * The account's row, made where there is none. An account that was connected without a probe is only known by its address; the first probe
 * there says who it is. Where an account turns out to have two rows, they become one.
 */
export async function provideAccount(db: Kysely<DB>, whose: Whose): Promise<string> {
  const { account, baseUrl } = whose;
  const identity = account?.identity ?? `${UNVERIFIED}${baseUrl}`;
  const rows = await listAccounts(db, whose);
  const same = rows.filter(
    (row) => row.identity === identity || (account && isFormerRow(row.identity, whose, account)),
  );
  const known = same.find((row) => row.identity === identity) ?? same[0];
  if (!known) return insertAccount(db, whose, identity);
  if (same.length > 1 || known.identity !== identity) await lockDeliveries(db, whose);
  for (const other of same) if (other !== known) await mergeAccounts(db, { from: other.id, into: known.id });
  const origin = readOrigin(whose);
  const values = account ? { identity, name: account.name, origin } : { origin };
  await db.updateTable('accounts').set(values).where('id', '=', known.id).execute();
  return known.id;
}

/** Before the accounts: an attempt, while its delivery is locked, takes a key-share lock on its account. */
async function lockDeliveries(db: Kysely<DB>, { userId, destination }: Whose): Promise<void> {
  await sql`select from deliveries d join articles a on a.id = d.article_id
    where a.author_id = ${userId} and d.destination = ${destination} order by d.id for update of d`.execute(db);
}

const UNVERIFIED = 'unverified:';

function listAccounts(db: Kysely<DB>, { userId, destination, platform }: Whose) {
  return db
    .selectFrom('accounts')
    .select(['id', 'identity', 'name'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .where('platform', '=', platform)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

/** Rows from before the account was probed are `unverified:<address>`, with `#<name>` where a probe of that time had told one. */
function isFormerRow(rowIdentity: string, { baseUrl, normalizeBaseUrl }: Whose, account: ProbedIdentity): boolean {
  const former = account.formerIdentities ?? [];
  if (!rowIdentity.startsWith(UNVERIFIED)) return former.includes(rowIdentity);
  const [address = '', ...names] = rowIdentity.slice(UNVERIFIED.length).split('#');
  const normalize = normalizeBaseUrl ?? ((url) => url);
  if (normalize(address) !== normalize(baseUrl)) return false;
  return names.length === 0 || [account.identity, account.name, ...former].includes(names.join('#'));
}

/** Two authors' requests never meet here, and one author's are in a row (see `connect`). */
async function insertAccount(db: Kysely<DB>, whose: Whose, identity: string): Promise<string> {
  const { userId, destination, platform, account } = whose;
  const values = { userId, destination, platform, identity, name: account?.name ?? null, origin: readOrigin(whose) };
  const { id } = await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

function readOrigin({ baseUrl }: Whose): string | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : null;
}
