/** The headers of mails about an account. */
import { findListHost } from '../digest/headers.ts';

/**
 * Prevents automatic replies (RFC 3834). Not marked as list mail: unsubscribing would stop mails
 * about the security of the account.
 */
export function buildMailHeaders(): Record<string, string> {
  return { 'Auto-Submitted': 'auto-generated' };
}

/** Returns the same id for the same mail, so that mail programs merge two copies. */
export function buildMailId(mailId: string, siteUrl: string): string {
  return `<mail.${mailId}@${findListHost(siteUrl)}>`;
}
