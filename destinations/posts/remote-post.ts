/**
 * A post as a platform describes it, accepted only in a form that can be stored (no zero bytes, no year that PostgreSQL
 * does not know) and shown: people click on its address.
 */
import { toPlainLine } from '../format/plain-line.ts';
import { isWebAddress } from '../format/web-address.ts';
import type { RemotePost } from '../types.ts';

const LONGEST_ADDRESS = 2_048;
const LONGEST_ACCOUNT = 100;
const LONGEST_SITE = 300;
/** Later years are written in another form, which PostgreSQL does not read. */
const YEAR_10000 = Date.UTC(10_000, 0);

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
  return toPlainLine(name).slice(0, LONGEST_ACCOUNT).toWellFormed() || null;
}

/**
 * A site as the name of an account: host and path, because a site that moves to https stays the same, with the usual port of either scheme
 * or without. Null where it is no URL.
 */
export function readSiteName(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  const name = `${host.replace(/:(?:80|443)$/, '')}${pathname.replace(/\/+$/, '')}`;
  return toPlainLine(name).slice(0, LONGEST_SITE);
}

/** The first of the values that is a time of our era, in ISO 8601; null where none is. */
export function readTime(...values: unknown[]): string | null {
  for (const value of values) {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (at > 0 && at < YEAR_10000) return new Date(at).toISOString();
  }
  return null;
}
