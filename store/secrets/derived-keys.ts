/** Keys for other purposes than sealing, each derived from the credentials key (HKDF-SHA256): what one of them gives away opens nothing else. */
import { hkdfSync } from 'node:crypto';
import { loadCredentialsKeys } from './sealing.ts';

/**
 * From the oldest credentials key, so that what was signed outlives a change of it for as long as the former key is kept. `purpose` is part of
 * the key, and frozen once something was signed with it.
 */
export async function loadDerivedKey(
  options: { home: string; key: string | undefined },
  purpose: string,
): Promise<Buffer> {
  const oldest = (await loadCredentialsKeys(options)).at(-1);
  if (!oldest) throw new Error('there is no credentials key');
  return deriveKey(oldest, purpose);
}

export function deriveKey(credentialsKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', credentialsKey, Buffer.alloc(0), purpose, 32));
}
