/** The headers of a mail that something in an account causes. */
import { findListHost } from '../digest/headers.ts';

/** No mail program answers it with an absence (RFC 3834). It is no list mail: whoever could leave it would miss what happens to the account. */
export function buildMailHeaders(): Record<string, string> {
  return { 'Auto-Submitted': 'auto-generated' };
}

/** Always the same for the same mail, so that mail programs treat two copies, should there ever be two, as one. */
export function buildMailId(mailId: string, siteUrl: string): string {
  return `<mail.${mailId}@${findListHost(siteUrl)}>`;
}
