/**
 * Keys for other purposes than sealing, derived from the credentials key (HKDF-SHA256). A leaked
 * derived key reveals no other.
 */
import { hkdfSync } from 'node:crypto';
import { loadCredentialsKeys } from './sealing.ts';

/**
 * Derives from the oldest credentials key, so that signatures stay valid after a key change while
 * the former key is stored. `purpose` is part of the key and must not change once used.
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
