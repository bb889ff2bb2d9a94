/**
 * Reads a platform's description of a post. Accepts only values that can be stored (no zero bytes,
 * no year unknown to PostgreSQL) and shown, because people click on its address.
 */
import { toPlainLine } from '../format/plain-line.ts';
import { isWebAddress } from '../format/web-address.ts';
import type { RemotePost } from '../types.ts';

const MAX_URL_CHARACTERS = 2_048;
const MAX_ACCOUNT_CHARACTERS = 100;
const MAX_SITE_CHARACTERS = 300;
/** Later years have another format, which PostgreSQL does not read. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** Null if the id or the address is missing or invalid. */
export function readRemotePost(id: unknown, url: unknown, changedAt: string | null): RemotePost | null {
  const remoteId = readRemoteId(id);
  if (remoteId === null || typeof url !== 'string') return null;
  if (url.length > MAX_URL_CHARACTERS || !isWebAddress(url)) return null;
  return { remoteId, url: new URL(url).href, changedAt };
}

/** Numbers become text. */
export function readRemoteId(id: unknown): string | null {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;
}

/** The display name of an account. Null if there is none. */
export function readAccount(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  return toPlainLine(name).slice(0, MAX_ACCOUNT_CHARACTERS).toWellFormed() || null;
}

/** The host and path of a site, without the scheme, which may become https. Else null. */
export function readSiteName(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  const name = `${host.replace(/:(?:80|443)$/, '')}${pathname.replace(/\/+$/, '')}`;
  return toPlainLine(name).slice(0, MAX_SITE_CHARACTERS);
}

/** The first value that is a time of our era, in ISO 8601. Null if there is none. */
export function readTime(...values: unknown[]): string | null {
  for (const value of values) {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (at > 0 && at < YEAR_10000) return new Date(at).toISOString();
  }
  return null;
}
