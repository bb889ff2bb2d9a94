/**
 * Shares the result of a credential probe among the articles scheduled for one account. One caller
 * probes under a lease, which expires if its worker is lost; the others read the result.
 */
import { sql } from 'kysely';
import type { DeliveryCode } from '../../delivery/delivery-codes.ts';
import type { Database } from '../db/database.ts';

export interface CredentialKey {
  connectionId: string;
  version: number;
}

/** Null if the credential was accepted. `code`: as in `Warning`. */
export type CredentialFinding = { code: DeliveryCode; reason: string } | null;

/** Covers articles scheduled for one time, and still detects a credential that fails later. */
const FRESH = sql`interval '5 minutes'`;
/** Above the duration of all probes of one credential, below the activity's time-out. */
const LEASE = sql`interval '90 seconds'`;

/**
 * `claimed`: the caller must probe, then call `saveCheck` or `releaseCheck`. `busy`: another caller
 * probes. `gone`: the connection was deleted or its credential replaced.
 */
export async function claimCheck(
  db: Database,
  { connectionId, version }: CredentialKey,
): Promise<{ kind: 'claimed' | 'busy' | 'gone' } | { kind: 'known'; finding: CredentialFinding }> {
  const claimed = await sql`
    insert into credential_checks as c (connection_id, credential_version, leased_until)
    select id, version, clock_timestamp() + ${LEASE} from connections
    where id = ${connectionId} and version = ${version}
    on conflict (connection_id) do update set credential_version = excluded.credential_version, leased_until = excluded.leased_until,
      checked_at = null, code = null, reason = null
    where c.credential_version < excluded.credential_version
      or ((c.leased_until is null or c.leased_until < clock_timestamp())
        and (c.checked_at is null or c.checked_at < clock_timestamp() - ${FRESH}))`.execute(db);
  if (claimed.numAffectedRows === 1n) return { kind: 'claimed' };
  const { rows } = await sql<{ isChecked: boolean; code: DeliveryCode | null; reason: string | null }>`
    select k.checked_at is not null as is_checked, k.code, k.reason
    from credential_checks k join connections c on c.id = k.connection_id and c.version = k.credential_version
    where k.connection_id = ${connectionId} and k.credential_version = ${version}`.execute(db);
  const [row] = rows;
  if (!row) return { kind: 'gone' };
  if (!row.isChecked) return { kind: 'busy' };
  return { kind: 'known', finding: row.code === null ? null : { code: row.code, reason: row.reason ?? '' } };
}

/** Stores the finding. Returns false if the credential was replaced meanwhile. */
export async function saveCheck(db: Database, key: CredentialKey, finding: CredentialFinding): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update credential_checks k set leased_until = null, checked_at = clock_timestamp(),
      code = ${finding?.code ?? null}, reason = ${finding?.reason ?? null}
    from connections c where c.id = k.connection_id and c.version = k.credential_version
    and k.connection_id = ${key.connectionId} and k.credential_version = ${key.version}`.execute(db);
  return numAffectedRows === 1n;
}

/** After an aborted probe, so that the next caller probes. */
export async function releaseCheck(db: Database, key: CredentialKey): Promise<void> {
  await sql`update credential_checks set leased_until = null
    where connection_id = ${key.connectionId} and credential_version = ${key.version}`.execute(db);
}
