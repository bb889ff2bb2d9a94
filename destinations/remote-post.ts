/**
 * A post as a platform names it, taken only in a form that can be kept and shown: the ledger has to be able to store it
 * (no zero bytes, no year that a database does not know), and people click on its address.
 */
import { isWebAddress } from './canonical.ts';
import { plainLine } from './http/reason.ts';
import type { RemotePost } from './types.ts';

const LONGEST_ADDRESS = 2_048;
const LONGEST_ACCOUNT = 100;

/** Null where the id or the address is missing or is none. */
export function readRemotePost(id: unknown, url: unknown, changedAt: string | null): RemotePost | null {
  const remoteId = readRemoteId(id);
  if (remoteId === null || typeof url !== 'string' || url.length > LONGEST_ADDRESS || !isWebAddress(url)) return null;
  return { remoteId, url: new URL(url).href, changedAt };
}

/** Numbers as text. */
export function readRemoteId(id: unknown): string | null {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;
}

/** The name of an account, as it can be shown. Null where there is none. */
export function readAccount(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  return plainLine(name).slice(0, LONGEST_ACCOUNT).toWellFormed() || null;
}
