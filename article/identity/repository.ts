/** The name of a repository, from the URL of a Git remote: the same for every clone, whatever transport or credentials it uses. */
import { decodeEscapes } from '../text/decode-escapes.ts';

/** Longer names are treated as no name. */
export const MAX_REPOSITORY_LENGTH = 1_024;

const URL_FORM = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is;
/** `git@github.com:owner/name.git`, as scp writes it. One letter before the colon is a drive of Windows. */
const SCP_FORM = /^(?:[^@/\s]+@)?([^:@/\s[\]]{2,}|\[[\da-f:.]+\]):(?!:)(.+)$/is;

/**
 * `github.com/owner/name`: host in lower case, without scheme, credentials, port, query, trailing slash and `.git`. The port belongs to the
 * transport: one server is `ssh://host:2222/…` and `https://host/…`. Null for a folder of this machine, and for what is not understood: a name
 * that may contain a credential is never returned.
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
  // Only of https and its like, the parser writes the host in one way.
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
