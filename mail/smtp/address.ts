/**
 * Parses SMTP_URL and MAIL_FROM. Never quotes its input, because an SMTP address contains a
 * password.
 */
import { isIPv4 } from 'node:net';
import { cleanToOneLine } from '../clean-text.ts';

export interface Mailbox {
  name: string;
  address: string;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`, port 465); else STARTTLS. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
  /**
   * The server is on this machine: nobody can intercept the connection, and a local test server has
   * no certificate.
   */
  loopback: boolean;
}

/** `smtp[s]://[user:password@]host[:port]`; null for anything else. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '') return null;
  if (url.pathname !== '' && url.pathname !== '/') return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (url.protocol === 'smtps:' ? 465 : 587) : Number(url.port);
  const [user, pass] = [decode(url.username), decode(url.password)];
  if (user === null || pass === null) return null;
  const auth = user === '' && pass === '' ? undefined : { user, pass };
  return { host, port, secure: url.protocol === 'smtps:' || port === 465, auth, loopback: isLoopback(host) };
}

/** `Name <address>` or an address alone; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', bracketed, bare] = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? bare ?? '').trim();
  if (!isMailAddress(address)) return null;
  return { name: cleanToOneLine(name.trim().replace(/^"(.*)"$/, '$1'), 100), address };
}

/**
 * Whether the text is one plain address. RFC 5322 also allows quoted local parts, comments, groups
 * (`a:b@c;`), lists and routes, which can turn one recipient into several.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > 254 || !text.isWellFormed()) return false;
  const [, local = '', domain = ''] = /^([^@]+)@([^@]+)$/.exec(text) ?? [];
  return local.length > 0 && local.length <= 64 && LOCAL.test(local) && DOMAIN.test(domain);
}

const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(\.[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u;

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed percent-encoding.
    return null;
  }
}
