/**
 * Finds and creates account rows, identified by the stable ids of a probe. Names and addresses can
 * change or move to another account; that does not change the ownership of posts.
 */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { mergeAccounts } from './merge-accounts.ts';

export interface ProbedIdentity {
  /** Stable ids: the same for every probe of one account, different for two accounts. */
  identity: string;
  /** The display name. */
  name: string | null;
  /** Identities under which this account may be stored. */
  formerIdentities?: readonly string[];
}

export interface AccountTarget {
  userId: string;
  destination: DestinationKey;
  platform: string;
  baseUrl: string;
  /** Null if the account was not probed. */
  account: ProbedIdentity | null;
  /**
   * Returns one spelling for all addresses of a site; without it, addresses are compared as they
   * are.
   */
  normalizeBaseUrl?: ((baseUrl: string) => string) | undefined;
}

/**
 * Finds or creates the account's row, and returns its id. Without a probe, an account is identified
 * by its address until its first probe. Merges several rows of one account.
 */
export async function findOrCreateAccount(db: Kysely<DB>, target: AccountTarget): Promise<string> {
  const { account, baseUrl } = target;
  const identity = account?.identity ?? `${UNVERIFIED}${baseUrl}`;
  const rows = await listAccounts(db, target);
  const same = rows.filter(
    (row) => row.identity === identity || (account && isFormerRow(row.identity, target, account)),
  );
  const known = same.find((row) => row.identity === identity) ?? same[0];
  if (!known) return insertAccount(db, target, identity);
  if (same.length > 1 || known.identity !== identity) await lockDeliveries(db, target);
  for (const other of same) if (other !== known) await mergeAccounts(db, { from: other.id, into: known.id });
  const origin = readOrigin(target);
  const values = account ? { identity, name: account.name, origin } : { origin };
  await db.updateTable('accounts').set(values).where('id', '=', known.id).execute();
  return known.id;
}

/** Before the accounts: an attempt, while its delivery is locked, takes a key-share lock on its account. */
async function lockDeliveries(db: Kysely<DB>, { userId, destination }: AccountTarget): Promise<void> {
  await sql`select from deliveries d join articles a on a.id = d.article_id
    where a.author_id = ${userId} and d.destination = ${destination} order by d.id for update of d`.execute(db);
}

const UNVERIFIED = 'unverified:';

function listAccounts(db: Kysely<DB>, { userId, destination, platform }: AccountTarget) {
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

/** The identity of a row without a probe is `unverified:<address>`, optionally with `#<name>`. */
function isFormerRow(
  rowIdentity: string,
  { baseUrl, normalizeBaseUrl }: AccountTarget,
  account: ProbedIdentity,
): boolean {
  const former = account.formerIdentities ?? [];
  if (!rowIdentity.startsWith(UNVERIFIED)) return former.includes(rowIdentity);
  const [address = '', ...names] = rowIdentity.slice(UNVERIFIED.length).split('#');
  const normalize = normalizeBaseUrl ?? ((url) => url);
  if (normalize(address) !== normalize(baseUrl)) return false;
  return names.length === 0 || [account.identity, account.name, ...former].includes(names.join('#'));
}

/** Cannot conflict: rows belong to one author, and `connect` locks the author. */
async function insertAccount(db: Kysely<DB>, target: AccountTarget, identity: string): Promise<string> {
  const { userId, destination, platform, account } = target;
  const values = { userId, destination, platform, identity, name: account?.name ?? null, origin: readOrigin(target) };
  const { id } = await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

function readOrigin({ baseUrl }: AccountTarget): string | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : null;
}
