/**
 * Checks the keys: present, well formed, readable only by their owner, and able to decrypt stored
 * credentials.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { getSigningKeyFile, parsePrivateKeys } from '../../api/auth/keys/key-ring.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { openDatabase } from '../../store/db/database.ts';
import { createSealer, getKeyFile, loadCredentialsKeys, SealError, type Sealer } from '../../store/secrets/sealing.ts';
import type { Settings } from './check-settings.ts';
import { describe, type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'keys';
/**
 * Checking all credentials of a large site takes minutes. The oldest are checked, because they are
 * most likely encrypted with a former key.
 */
const MAX_CREDENTIALS = 500;

export async function checkKeys(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  return [...(await checkCredentialsKey(settings, hasSchema)), checkSigningKey(settings)];
}

async function checkCredentialsKey(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  const { home, credentialsKey: key } = settings;
  const file = getKeyFile(home);
  if (key === undefined && !existsSync(file)) {
    const advice =
      'One machine needs no action. For several machines, set COURANT_CREDENTIALS_KEY to a key (openssl rand -base64 32).';
    return [
      warn(SUBJECT, 'There is no key for credentials yet: the first start creates it in COURANT_HOME/keys.', advice),
    ];
  }
  const findings = key === undefined ? checkMode(file) : [];
  try {
    const keys = await loadCredentialsKeys({ home, key });
    const sealer = createSealer(keys);
    if (keys.length > 1) {
      findings.push(
        ok(SUBJECT, `${keys.length} keys for credentials: the first encrypts, the others decrypt older credentials.`),
      );
    }
    return [...findings, ...(hasSchema ? await checkSealed(settings, sealer) : [])];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return [
      fail(
        SUBJECT,
        `${describe(error)}.`,
        'Correct COURANT_CREDENTIALS_KEY, or restore the file from a backup (docs/keys.md).',
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
      const message = `${unreadable} of ${rows.length} credentials of destinations cannot be decrypted with these keys: nothing is delivered there.`;
      return [
        fail(
          SUBJECT,
          message,
          'Add the former key after the current one (docs/keys.md), or have the authors reconnect.',
        ),
      ];
    }
    if (former > 0) {
      const message = `${former} of ${rows.length} credentials are encrypted with a former key.`;
      return [warn(SUBJECT, message, 'Complete the key rotation: run `npm run rotate-credentials` (docs/keys.md).')];
    }
    return [
      ok(
        SUBJECT,
        rows.length === 0
          ? 'There are no encrypted credentials yet.'
          : `All ${rows.length} checked credentials can be decrypted with the current key.`,
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
    const advice = 'One machine needs no action. For several APIs, set COURANT_JWT_KEY to one key (docs/keys.md).';
    return warn(SUBJECT, 'There is no key for sessions yet: the first start creates it in COURANT_HOME/keys.', advice);
  }
  if (parsePrivateKeys(readFileSync(file, 'utf8')) === null) {
    return fail(
      SUBJECT,
      'The key for sessions in COURANT_HOME/keys is damaged: the API cannot start.',
      'Restore it from a backup, or delete it; then all users must sign in again.',
    );
  }
  return checkMode(file)[0] ?? ok(SUBJECT, 'Sessions are signed with the key in COURANT_HOME.');
}

function checkMode(file: string): Finding[] {
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [warn(SUBJECT, `${file} can be read by other users of this machine.`, `Run \`chmod 600 ${file}\`.`)];
}
