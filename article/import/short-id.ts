/** Ids that strangers chose, as keys: PostgreSQL indexes no more than some 2,700 bytes of all columns of a key together. */
import { createHash } from 'node:crypto';

/** In UTF-16; three bytes each at most. */
const LONGEST = 500;

/** What is longer is known by its hash. */
export function shortenId(id: string): string {
  return id.length <= LONGEST ? id : hashId(id);
}

export function hashId(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
