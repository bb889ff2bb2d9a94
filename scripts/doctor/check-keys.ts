/**
 * Checks the keys: present, well formed, readable only by their owner, and able to decrypt stored
 * credentials.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { getSigningKeyFile } from '../../api/auth/key-ring.ts';
import { parsePrivateKeys } from '../../api/auth/private-keys.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { openDatabase } from '../../store/db/database.ts';
import { createSealer, getKeyFile, loadCredentialsKeys, SealError, type Sealer } from '../../store/secrets/sealing.ts';
import type { Settings } from './check-settings.ts';
import { describe, type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'keys';
/**
 * All credentials would take minutes on a large site. The oldest are most likely encrypted with a
 * former key.
 */
const MAX_CREDENTIALS = 500;

export async function checkKeys(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  return [...(await checkCredentialsKey(settings, hasSchema)), checkSigningKey(settings)];
}

async function checkCredentialsKey(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  const { home, credentialsKey: key } = settings;
  const file = getKeyFile(home);
  if (key === undefined && !existsSync(file)) {
    const next =
      'On one machine nothing is to be done; for several, put one into COURANT_CREDENTIALS_KEY (openssl rand -base64 32).';
    return [
      warn(SUBJECT, 'There is no key for credentials yet: it is made in COURANT_HOME/keys at the first start.', next),
    ];
  }
  const findings = key === undefined ? checkMode(file) : [];
  try {
    const keys = await loadCredentialsKeys({ home, key });
    const sealer = createSealer(keys);
    if (keys.length > 1) {
      findings.push(
        ok(SUBJECT, `${keys.length} keys for credentials: the first seals, the others open what was sealed before.`),
      );
    }
    return [...findings, ...(hasSchema ? await checkSealed(settings, sealer) : [])];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return [
      fail(
        SUBJECT,
        `${describe(error)}.`,
        'Correct COURANT_CREDENTIALS_KEY, or bring the file back from a backup (docs/keys.md).',
      ),
    ];
  }
}

async function checkSealed(settings: Settings, sealer: Sealer): Promise<Finding[]> {
  const db = openDatabase(settings.databaseDirectUrl, { maxConnections: 1, onError: () => undefined });
  try {
    const rows = await db
      .selectFrom('connections')
      .select(['id', 'credentialsSealed'])
      .orderBy('createdAt')
      .limit(MAX_CREDENTIALS)
      .execute();
    const former = rows.filter(({ credentialsSealed }) => !sealer.isCurrent(credentialsSealed)).length;
    let unreadable = 0;
    for (const { id } of rows) {
      await openConnection(db, sealer, id).catch((error: unknown) => {
        if (!(error instanceof SealError)) throw error;
        unreadable += 1;
      });
    }
    if (unreadable > 0) {
      const says = `${unreadable} of ${rows.length} credentials of destinations do not open with these keys: nothing is delivered there.`;
      return [
        fail(
          SUBJECT,
          says,
          'Put the former key behind the present one (docs/keys.md), or have their authors connect again.',
        ),
      ];
    }
    if (former > 0) {
      const says = `${former} of ${rows.length} credentials are sealed with a former key.`;
      return [warn(SUBJECT, says, 'End the change of the key: `npm run rotate-credentials` (docs/keys.md).')];
    }
    return [
      ok(
        SUBJECT,
        rows.length === 0
          ? 'No credential is sealed yet.'
          : `All ${rows.length} credentials looked at open with the present key.`,
      ),
    ];
  } finally {
    await db.destroy();
  }
}

function checkSigningKey({ home, jwtKey }: Settings): Finding {
  if (jwtKey !== undefined) return ok(SUBJECT, 'Sessions are signed with COURANT_JWT_KEY.');
  const file = getSigningKeyFile(home);
  if (!existsSync(file)) {
    const next =
      'For several APIs, put one key into COURANT_JWT_KEY (docs/keys.md); on one machine nothing is to be done.';
    return warn(SUBJECT, 'There is no key for sessions yet: it is made in COURANT_HOME/keys at the first start.', next);
  }
  if (parsePrivateKeys(readFileSync(file, 'utf8')) === null) {
    return fail(
      SUBJECT,
      'The key for sessions in COURANT_HOME/keys is damaged: the API does not start.',
      'Bring it back from a backup, or delete it: everybody signs in again.',
    );
  }
  return checkMode(file)[0] ?? ok(SUBJECT, 'Sessions are signed with the key in COURANT_HOME.');
}

function checkMode(file: string): Finding[] {
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [warn(SUBJECT, `${file} can be read by other users of this machine.`, `chmod 600 ${file}`)];
}
