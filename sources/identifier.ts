/** What an author gives to name a blog: a name, a host, or an address as it stands in a browser. */

const LONGEST = 2_000;

/** As an address: of the web, or with https:// put before a host. Null for a name, and for what is neither. */
export function readUrl(identifier: string): URL | null {
  const text = identifier.trim();
  if (text.length > LONGEST || /\s/.test(text)) return null;
  if (/^https?:\/\//i.test(text)) return URL.parse(text);
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:\/|$)/u.test(text) ? URL.parse(`https://${text}`) : null;
}

/** A user name, with or without its @. Null where it is none: what is put into a path must not lead elsewhere. */
export function readName(text: string): string | null {
  const name = text.trim().replace(/^@/, '');
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u.test(name) ? name : null;
}

/** The last part of an address, and the address before it, without a slash at its end. */
export function splitLastPart(url: URL): { before: string; last: string } {
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const last = parts.pop() ?? '';
  return { before: `${url.origin}${parts.map((part) => `/${part}`).join('')}`, last };
}
