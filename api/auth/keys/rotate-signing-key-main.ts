/**
 * `npm run rotate-signing-key`: adds a key that signs session tokens after the next start of the
 * API. See docs/self-hosting/keys.md.
 */
import { ConfigError } from '../../../runtime/config/environment.ts';
import { replaceKeyFile } from '../../../store/secrets/key-file.ts';
import { readApiConfig } from '../../config.ts';
import { createPrivateKey, formatPrivateKeys, getSigningKeyFile, loadKeyRing } from './key-ring.ts';

/**
 * Former keys verify for an hour, the lifetime of a token. More rotations per hour are not
 * expected.
 */
const MAX_FORMER_KEYS = 2;

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { home, jwtKey } = readApiConfig();
  if (jwtKey !== undefined) {
    console.error(
      'The keys are set in COURANT_JWT_KEY. Add a new key before them there, as described in docs/self-hosting/keys.md.',
    );
    process.exitCode = 1;
    return;
  }
  // Creates the first key if there is none.
  const { privateKeys } = await loadKeyRing({ home, key: undefined });
  const keys = [await createPrivateKey(), ...privateKeys.slice(0, MAX_FORMER_KEYS)];
  await replaceKeyFile(getSigningKeyFile(home), formatPrivateKeys(keys));
  console.log('Created a new signing key. The former key still verifies tokens. Restart every instance of the API.');
}
