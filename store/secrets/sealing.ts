/**
 * Credentials at rest: AES-256-GCM, with the owner's row as associated data, so that a sealed value that is copied into another row cannot
 * be opened. Layout: version (1) | nonce (12) | tag (16) | ciphertext.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateKeyFile } from './key-file.ts';

export interface Sealer {
  /** `context` names the place where the value lives; opening needs the same. */
  seal(plain: string, context: string): Buffer;
  /** Throws `SealError` if the key or the context differs, or the bytes were changed. */
  open(sealed: Buffer, context: string): string;
}

export class SealError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealError';
  }
}

/** The key from `COURANT_CREDENTIALS_KEY` (32 bytes, base64 or hex), else from a file in COURANT_HOME, made at first use. */
export async function loadSealer(options: { home: string; key: string | undefined }): Promise<Sealer> {
  return createSealer(await loadCredentialsKey(options));
}

/** The key itself, only for deriving other keys from it. */
export async function loadCredentialsKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  if (options.key !== undefined) return parseKey(options.key);
  const stored = await loadOrCreateKeyFile(join(options.home, 'keys', 'credentials.key'), () =>
    randomBytes(32).toString('base64'),
  );
  return parseKey(stored);
}

export function createSealer(key: Buffer): Sealer {
  return {
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION || sealed.length < 29) throw new SealError('the sealed value has an unknown format');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13));
        decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(13, 29));
        return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8');
      } catch {
        throw new SealError('the sealed value does not open with this key; was COURANT_CREDENTIALS_KEY changed?');
      }
    },
  };
}

const VERSION = 1;

function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== 32) throw new SealError('the credentials key must be 32 bytes, as base64 or hex');
  return key;
}
