/**
 * Refresh tokens: shown to the client, stored as SHA-256. Each is good for one successor, which follows from it and a key of ours: two tabs that
 * refresh at the same moment get the same one, so a session has one line of tokens, and whoever uses an old one is found out.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { loadDerivedKey } from '../secrets/derived-keys.ts';

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

/** 256 bits that nobody can guess need no slow hash. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Tells secret scanners, and people, what it is. */
const PREFIX = 'courant_refresh_';
const PATTERN = new RegExp(`^${PREFIX}[0-9a-zA-Z_-]{43}$`);
