/** Compares canonical URLs as a platform may give them back: other case of the host, a slash more, a campaign tag. */

/** True where both name the same page. Something that is not an http(s) URL equals nothing. */
export function isSameCanonical(left: string | null | undefined, right: string | null | undefined): boolean {
  const key = left ? canonicalKey(left) : null;
  return key !== null && right != null && key === canonicalKey(right);
}

/** True for an absolute http(s) URL without white space. */
export function isWebAddress(address: string): boolean {
  const url = /\s/.test(address) ? null : readUrl(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

/** The form in which two addresses of one page are equal; null where it is no http(s) URL. */
function canonicalKey(address: string): string | null {
  const url = readUrl(address.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  // Written anew whether something is taken out or not, so that what is left is spelled alike.
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !/^utm_/i.test(name)));
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${url.host}${path}?${query}`;
}

/** Not `URL.parse`: formats are part of the CLI too, which runs on Node 20. */
function readUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
