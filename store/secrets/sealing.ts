/**
 * Credentials at rest: AES-256-GCM. The context (row, server) is associated data: a value copied
 * into another row, or a row changed to another server, cannot be opened. Layout: version (1) |
 * key id (4) | nonce (12) | tag (16) | ciphertext.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateKeyFile } from './key-file.ts';

export interface Sealer {
  /** `context` identifies where the value is stored. Opening requires the same context. */
  seal(plain: string, context: string): Buffer;
  /** Throws `SealError` on another key or context, or changed bytes. */
  open(sealed: Buffer, context: string): string;
  /** Whether the value has the present key and layout. */
  isCurrent(sealed: Buffer): boolean;
}

export class SealError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealError';
  }
}

/**
 * Keys from `COURANT_CREDENTIALS_KEY` (32 bytes each, base64 or hex, comma-separated), else from a
 * file in COURANT_HOME (one per line), created at first use. The first key seals; the others only
 * open older values.
 */
export async function loadSealer(options: { home: string; key: string | undefined }): Promise<Sealer> {
  return createSealer(await loadCredentialsKeys(options));
}

/** The raw keys, only for deriving others from them and for changing them. */
export async function loadCredentialsKeys(options: { home: string; key: string | undefined }): Promise<Buffer[]> {
  if (options.key !== undefined) return parseKeys(options.key);
  return parseKeys(
    await loadOrCreateKeyFile(getKeyFile(options.home), () => `${randomBytes(KEY_BYTES).toString('base64')}\n`),
  );
}

export function getKeyFile(home: string): string {
  return join(home, 'keys', 'credentials.key');
}

export function createSealer(keyOrKeys: Buffer | readonly Buffer[]): Sealer {
  const keys = Buffer.isBuffer(keyOrKeys) ? [keyOrKeys] : keyOrKeys;
  const [current] = keys;
  if (!current) throw new SealError('there is no credentials key');
  const byId = new Map(keys.map((key) => [findKeyId(key).toString('hex'), key]));
  const currentId = findKeyId(current);
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), currentId, nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new SealError('the sealed value has an unknown format');
      const id = sealed.subarray(1, 1 + ID_BYTES).toString('hex');
      const key = byId.get(id);
      if (!key)
        throw new SealError(`the sealed value needs the key ${id}; check whether COURANT_CREDENTIALS_KEY was changed`);
      return openWith(key, sealed.subarray(1 + ID_BYTES), context);
    },
    isCurrent: (sealed) => sealed[0] === VERSION && sealed.subarray(1, 1 + ID_BYTES).equals(currentId),
  };
}

/** `sealed`: nonce, tag and ciphertext. */
function openWith(key: Buffer, sealed: Buffer, context: string): string {
  const [nonce, tag, body] = [sealed.subarray(0, 12), sealed.subarray(12, 28), sealed.subarray(28)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    throw new SealError(
      'the sealed value does not open with this key; check whether COURANT_CREDENTIALS_KEY was changed',
    );
  }
}

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const ID_BYTES = 4;

/** Identifies a key without revealing it. */
function findKeyId(key: Buffer): Buffer {
  return createHash('sha256').update('courant/credentials-key-id/1').update(key).digest().subarray(0, ID_BYTES);
}

function parseKeys(text: string): Buffer[] {
  return text
    .split(/[,\n]/)
    .filter((part) => part.trim() !== '')
    .map(parseKey);
}

function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== KEY_BYTES) throw new SealError('the credentials key must be 32 bytes, as base64 or hex');
  return key;
}

/**
 * A key for another purpose (HKDF-SHA256; a leaked one reveals no other). Derived from the oldest
 * credentials key, so that signatures stay valid after a key change while the former key is stored.
 * `purpose` must not change once used.
 */
export async function loadDerivedKey(
  options: { home: string; key: string | undefined },
  purpose: string,
): Promise<Buffer> {
  const oldest = (await loadCredentialsKeys(options)).at(-1);
  if (!oldest) throw new SealError('there is no credentials key');
  return Buffer.from(hkdfSync('sha256', oldest, Buffer.alloc(0), purpose, 32));
}
