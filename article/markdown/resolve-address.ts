/** Relative addresses made absolute, by the order of bases that the specification gives. */
import { parseHttpUrl } from '../identity/canonical.ts';

export interface AddressBases {
  /** `base_url` of the frontmatter, else `baseUrl` of the request. */
  baseUrl: string | null;
  canonicalUrl: string | null;
}

/**
 * - `absolute`: the address to write instead.
 * - `kept`: already absolute, a fragment, `mailto:` and the like: nothing to do.
 * - `unresolved`: relative, and nothing to resolve it against (or a template's placeholder).
 */
export type ResolvedAddress = { kind: 'absolute'; url: string } | { kind: 'kept' } | { kind: 'unresolved' };

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PLACEHOLDER = /\{\{|\{%|\}\}|%\}|\$\{|<%/;

export function resolveAddress(address: string, bases: AddressBases): ResolvedAddress {
  const text = address.trim();
  if (text === '' || text.startsWith('#') || SCHEME.test(text)) return { kind: 'kept' };
  if (PLACEHOLDER.test(text)) return { kind: 'unresolved' };
  if (/^[\\/]{2}/.test(text)) return parsed(`https:${text}`, undefined);
  if (bases.baseUrl !== null) return parsed(text, asFolder(bases.baseUrl));
  // Root-relative against the canonical URL gives its origin, file-relative its neighbours: what `new URL` does.
  if (bases.canonicalUrl !== null) return parsed(text, bases.canonicalUrl);
  return { kind: 'unresolved' };
}

function parsed(text: string, base: string | undefined): ResolvedAddress {
  if (!URL.canParse(text, base)) return { kind: 'unresolved' };
  const url = new URL(text, base).href;
  return parseHttpUrl(url) === null ? { kind: 'unresolved' } : { kind: 'absolute', url };
}

/** `https://me.dev/blog` as a base is the folder; a browser would take `blog` for a file and drop it. */
function asFolder(base: string): string {
  const url = new URL(base);
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (last !== '' && !last.includes('.')) url.pathname += '/';
  return url.href;
}
