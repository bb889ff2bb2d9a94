/**
 * Refresh tokens: sent to the client, stored as SHA-256. The single successor of a token is derived
 * with a secret key. So two tabs that refresh at once get the same one, and reuse of an old token
 * is detected.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { loadDerivedKey } from '../secrets/sealing.ts';

export function loadRefreshKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  return loadDerivedKey(options, 'courant/refresh-tokens/1');
}

export function createRefreshToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

export function deriveSuccessor(key: Buffer, token: string): string {
  return `${PREFIX}${createHmac('sha256', key).update(token).digest('base64url')}`;
}

export function isRefreshToken(text: string): boolean {
  return PATTERN.test(text);
}

/** No slow hash is needed for 256 random bits. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Identifies the token to secret scanners and people. */
const PREFIX = 'courant_refresh_';
const PATTERN = new RegExp(`^${PREFIX}[0-9a-zA-Z_-]{43}$`);
