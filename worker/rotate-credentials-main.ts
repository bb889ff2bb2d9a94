/**
 * `npm run rotate-credentials`: re-seals all credentials while nothing else runs:
 * docs/self-hosting/keys.md.
 */
import { randomBytes } from 'node:crypto';
import { ConfigError } from '../runtime/config/environment.ts';
import { resealCredentials } from '../store/connections/credentials.ts';
import { openDatabase } from '../store/db/database.ts';
import { replaceKeyFile } from '../store/secrets/key-file.ts';
import { createSealer, getKeyFile, loadCredentialsKeys, SealError } from '../store/secrets/sealing.ts';
import { readWorkerConfig } from './config.ts';

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof SealError ? error.message : error);
  process.exitCode = 1;
}

/**
 * The new key is the first one of the environment. Without keys there, generates one and writes it
 * to COURANT_HOME before it seals anything.
 */
async function main(): Promise<void> {
  const { home, credentialsKey, databaseDirectUrl } = readWorkerConfig();
  let keys = await loadCredentialsKeys({ home, key: credentialsKey });
  if (credentialsKey === undefined) {
    keys = [randomBytes(32), ...keys];
    const lines = keys.map((key) => `${key.toString('base64')}\n`);
    await replaceKeyFile(getKeyFile(home), lines.join(''));
  } else if (keys.length === 1) {
    console.log('COURANT_CREDENTIALS_KEY contains only one key. Put the new key before it, separated by a comma.');
  }
  const db = openDatabase(databaseDirectUrl, { onError: () => undefined });
  try {
    const count = await resealCredentials(db, createSealer(keys));
    console.log(
      `Encrypted ${count} credentials with the new key. Former keys are still needed for older backups and for the links in mails.`,
    );
  } finally {
    await db.destroy();
  }
}
