/**
 * Canonical URLs: what counts as the same address when a publish is matched to an article.
 *
 * More lenient on purpose than `isSameCanonical` in `destinations/posts/canonical.ts`, which decides whether a post on a
 * platform is ours. Authors spell one address in many ways (http and https, another order of the query, `fbclid`), and a
 * match that is missed here makes a second article; a wrong match there would overwrite a post that is not ours.
 */

/** Parameters that say where a reader came from, not which page it is. */
const TRACKING = /^(?:utm_.*|fbclid|gclid|mc_cid|mc_eid)$/i;

/**
 * The key by which a canonical URL is matched: scheme https, host in lower case, no default port, no fragment, no
 * trailing slash, no tracking parameters, and the rest of the query sorted. `www.` is kept, because it may be another
 * site. The key is for comparing only and is never shown. A text that is not a URL is returned trimmed.
 */
export function normaliseCanonicalUrl(url: string): string {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return url.trim();
  const port = parsed.port === '' || parsed.port === '80' || parsed.port === '443' ? '' : `:${parsed.port}`;
  const kept = [...parsed.searchParams].filter(([name]) => !TRACKING.test(name)).map(([name, value]) => [name, value]);
  kept.sort(([a, x], [b, y]) => compare(a ?? '', b ?? '') || compare(x ?? '', y ?? ''));
  const query = new URLSearchParams(kept).toString();
  const path = parsed.pathname.replace(/\/+$/, '');
  return `https://${parsed.hostname}${port}${path}${query === '' ? '' : `?${query}`}`;
}

/** True for an address that names a whole site rather than one article. Such an address never matches. */
export function isSiteRoot(url: string): boolean {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return false;
  const hasQuery = [...parsed.searchParams.keys()].some((name) => !TRACKING.test(name));
  return /^\/*$/.test(parsed.pathname) && !hasQuery;
}

/** The URL if the text is an absolute http(s) address without credentials, else null. */
export function parseHttpUrl(url: string): URL | null {
  const text = url.trim();
  // `https:/x` and `https:x` parse too, but they are always mistakes.
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const parsed = new URL(text);
  return parsed.username === '' && parsed.password === '' ? parsed : null;
}

/**
 * Returns an http(s) URL as defined by RFC 3986, as `format: uri` promises. `href` is less strict:
 * it leaves `|`, `{`, `[` and a lone `%` in path, query and fragment.
 */
export function formatUri({ href }: URL): string {
  const [authority = ''] = /^https?:\/\/[^/?#]*/.exec(href) ?? [];
  const [rest = '', ...fragment] = href.slice(authority.length).split('#');
  const hash = fragment.length === 0 ? '' : `#${encodeIllegal(fragment.join('#'))}`;
  return `${authority}${encodeIllegal(rest)}${hash}`;
}

function encodeIllegal(text: string): string {
  return text.replace(/%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gi, encodeURIComponent);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
