/** `npm run rotate-signing-key`: a new key signs the tokens of sessions from the next start of the API on. See docs/keys.md. */
import { ConfigError } from '../../config/environment.ts';
import { replaceKeyFile } from '../../store/secrets/key-file.ts';
import { getSigningKeyFile, loadKeyRing } from './key-ring.ts';
import { createPrivateKey, formatPrivateKeys } from './private-keys.ts';
import { readApiConfig } from '../config.ts';

/** Tokens live for an hour, so a former key is needed for as long; this many changes within an hour are none that anybody makes. */
const KEPT = 2;

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { home, jwtKey } = readApiConfig();
  if (jwtKey !== undefined) {
    console.error('The keys are in COURANT_JWT_KEY: put a new one before them there. docs/keys.md says how.');
    process.exitCode = 1;
    return;
  }
  // Made first where there is none yet.
  const { privateKeys } = await loadKeyRing({ home, key: undefined });
  const keys = [await createPrivateKey(), ...privateKeys.slice(0, KEPT)];
  await replaceKeyFile(getSigningKeyFile(home), formatPrivateKeys(keys));
  console.log('There is a new signing key, and the former one still verifies. Restart every instance of the API.');
}
