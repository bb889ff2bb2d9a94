/** Makes relative addresses absolute, with the bases of the specification (2.3, 4.1). */
import { parseHttpUrl } from '../../identity/canonical.ts';

export interface AddressBases {
  /** `base_url` of the frontmatter, else `baseUrl` of the request. */
  baseUrl: string | null;
  canonicalUrl: string | null;
}

/**
 * - `absolute`: the address to write instead.
 * - `kept`: already absolute, a fragment, `mailto:` and the like; nothing to do.
 * - `unresolved`: relative, with nothing to resolve it against, or a template placeholder.
 */
export type ResolvedAddress = { kind: 'absolute'; url: string } | { kind: 'kept' } | { kind: 'unresolved' };

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PLACEHOLDER = /\{\{|\{%|\}\}|%\}|\$\{|<%/;

export function resolveAddress(address: string, bases: AddressBases): ResolvedAddress {
  const text = address.trim();
  if (text === '' || text.startsWith('#') || SCHEME.test(text)) return { kind: 'kept' };
  if (isTemplate(text)) return { kind: 'unresolved' };
  if (/^[\\/]{2}/.test(text)) return resolveAgainst(`https:${text}`, undefined);
  if (bases.baseUrl !== null) return resolveAgainst(text, toFolderUrl(bases.baseUrl));
  // As `new URL` does: a root-relative path resolves against the origin, another beside the
  // canonical page.
  if (bases.canonicalUrl !== null) return resolveAgainst(text, bases.canonicalUrl);
  return { kind: 'unresolved' };
}

/** True if the address has a placeholder that another tool replaces. */
export function isTemplate(address: string): boolean {
  return PLACEHOLDER.test(address);
}

/** True for a `file:` URL or a path with a Windows drive, which no base resolves. */
export function isLocalFile(address: string): boolean {
  return /^\s*(?:file:|[a-z]:[\\/])/i.test(address);
}

function resolveAgainst(text: string, base: string | undefined): ResolvedAddress {
  if (!URL.canParse(text, base)) return { kind: 'unresolved' };
  const url = new URL(text, base).href;
  return parseHttpUrl(url) === null ? { kind: 'unresolved' } : { kind: 'absolute', url };
}

/** Reads `https://me.dev/blog` as a folder. A browser would read `blog` as a file and drop it. */
function toFolderUrl(base: string): string {
  const url = new URL(base);
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (last !== '' && !last.includes('.')) url.pathname += '/';
  return url.href;
}
