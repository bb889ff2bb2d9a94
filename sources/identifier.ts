/** Parses the identifier of a blog: a name, a host or an address. */

const MAX_LENGTH = 2_000;

/** Returns an http(s) address; adds https:// to a host. Null for a name and anything else. */
export function readUrl(identifier: string): URL | null {
  const text = identifier.trim();
  if (text.length > MAX_LENGTH || /\s/.test(text)) return null;
  if (/^https?:\/\//i.test(text)) return URL.parse(text);
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:\/|$)/u.test(text) ? URL.parse(`https://${text}`) : null;
}

/** Returns a user name without its @. Null for other texts: it becomes part of a path. */
export function readName(text: string): string | null {
  const name = text.trim().replace(/^@/, '');
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u.test(name) ? name : null;
}

/** Returns the last segment of an address, and the address before it without a trailing slash. */
export function splitLastPart(url: URL): { before: string; last: string } {
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const last = parts.pop() ?? '';
  return { before: `${url.origin}${parts.map((part) => `/${part}`).join('')}`, last };
}
