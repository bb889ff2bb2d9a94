/** Derives the name of a repository, the same for all clones, transports and credentials. */
import { decodeEscapes } from '../text/decode-escapes.ts';

export const MAX_REPOSITORY_LENGTH = 1_024;

const URL_FORM = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is;
/** `git@github.com:owner/name.git`, as in scp. One letter before the colon is a Windows drive. */
const SCP_FORM = /^(?:[^@/\s]+@)?([^:@/\s[\]]{2,}|\[[\da-f:.]+\]):(?!:)(.+)$/is;

/**
 * Returns `github.com/owner/name`, without port. Null for local paths and where parts are
 * ambiguous, so that a credential is never returned.
 */
export function normaliseRepository(remote: string): string | null {
  const address = readUrl(remote.trim()) ?? readScp(remote.trim());
  if (address === null) return null;
  const path = decodeEscapes(address.path)
    .normalize('NFC')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '')
    .replace(/(?<=[^/])\.git$/i, '');
  const name = `${address.host}/${path}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
  const isUnclear = path === '' || /[@?#\u0000-\u001f]/.test(path) || name.length > MAX_REPOSITORY_LENGTH;
  return isUnclear ? null : name;
}

interface Address {
  host: string;
  path: string;
}

function readUrl(remote: string): Address | null {
  const [, scheme, rest] = URL_FORM.exec(remote) ?? [];
  if (scheme === undefined || /^file$/i.test(scheme)) return null;
  // The URL parser normalises hosts only for special schemes such as https.
  const url = URL.parse(`https://${rest}`);
  return url === null ? null : { host: url.hostname, path: url.pathname };
}

function readScp(remote: string): Address | null {
  if (URL_FORM.test(remote)) return null;
  const [, host, path] = SCP_FORM.exec(remote) ?? [];
  if (host === undefined || path === undefined) return null;
  const url = URL.parse(`https://${host}/`);
  return url === null ? null : { host: url.hostname, path };
}
