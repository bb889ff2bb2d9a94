/** Shortens foreign ids for keys: PostgreSQL indexes at most about 2,700 bytes per key. */
import { createHash } from 'node:crypto';

/** In UTF-16 units, of at most three bytes each. */
const MAX_ID_LENGTH = 500;

/** Replaces a longer id with its hash. */
export function shortenId(id: string): string {
  return id.length <= MAX_ID_LENGTH ? id : hashId(id);
}

export function hashId(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
