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
import { createFindings, describe, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('keys');
/**
 * Checking all credentials of a large site takes minutes. The oldest are checked, because they are
 * most likely encrypted with a former key.
 */
const MAX_CREDENTIALS = 500;

export async function checkKeys(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  return [...(await checkCredentialsKey(settings, hasSchema)), ...checkSigningKey(settings)];
}

async function checkCredentialsKey(settings: Settings, hasSchema: boolean): Promise<Finding[]> {
  const { home, credentialsKey: key } = settings;
  const file = getKeyFile(home);
  if (key === undefined && !existsSync(file)) {
    const message = 'There is no key for credentials yet: the first start creates it in COURANT_HOME/keys.';
    const advice = 'One machine needs no action. For several, set COURANT_CREDENTIALS_KEY (openssl rand -base64 32).';
    return [warn(message, advice)];
  }
  try {
    const sealer = createSealer(await loadCredentialsKeys({ home, key }));
    const sealed = hasSchema ? [await checkSealed(settings, sealer)] : [];
    return [...(key === undefined ? checkMode(file) : []), ...sealed];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const advice = 'Correct COURANT_CREDENTIALS_KEY, or restore the file from a backup (docs/self-hosting/keys.md).';
    return [fail(`${describe(error)}.`, advice)];
  }
}

async function checkSealed({ databaseDirectUrl }: Settings, sealer: Sealer): Promise<Finding> {
  const db = openDatabase(databaseDirectUrl, { maxConnections: 1, onError: () => undefined });
  try {
    const selected = db.selectFrom('connections').select(['id', 'credentialsSealed']).orderBy('createdAt');
    const rows = await selected.limit(MAX_CREDENTIALS).execute();
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
      return fail(
        message,
        'Add the former key after the current one (docs/self-hosting/keys.md), or have the authors reconnect.',
      );
    }
    if (former > 0) {
      const message = `${former} of ${rows.length} credentials are encrypted with a former key.`;
      return warn(message, 'Complete the key rotation: run `npm run rotate-credentials` (docs/self-hosting/keys.md).');
    }
    return ok(`All ${rows.length} checked credentials of destinations can be decrypted with the current key.`);
  } finally {
    await db.destroy();
  }
}

function checkSigningKey({ home, jwtKey }: Settings): Finding[] {
  if (jwtKey !== undefined) return [ok('Sessions are signed with COURANT_JWT_KEY.')];
  const file = getSigningKeyFile(home);
  if (!existsSync(file)) {
    const message = 'There is no key for sessions yet: the first start creates it in COURANT_HOME/keys.';
    return [
      warn(message, 'One machine needs no action. For several APIs, set COURANT_JWT_KEY (docs/self-hosting/keys.md).'),
    ];
  }
  if (parsePrivateKeys(readFileSync(file, 'utf8')) === null) {
    const message = 'The key for sessions in COURANT_HOME/keys is damaged: the API cannot start.';
    return [fail(message, 'Restore it from a backup, or delete it; then all users must sign in again.')];
  }
  return [...checkMode(file), ok('Sessions are signed with the key in COURANT_HOME.')];
}

function checkMode(file: string): Finding[] {
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [warn(`${file} can be read by other users of this machine.`, `Run \`chmod 600 ${file}\`.`)];
}
