/**
 * Builds the headers that mark a digest as list mail with an unsubscribe link (RFC 2369, 2919,
 * 3834, 8058).
 */

/**
 * `unsubscribeUrl` accepts a POST of `List-Unsubscribe=One-Click`. Mail programs send it over https
 * only.
 */
export function buildDigestHeaders({ unsubscribeUrl, siteUrl }: { unsubscribeUrl: string; siteUrl: string }) {
  // A space, a comma or an angle bracket would end the address. URLs percent-encode all but the
  // comma.
  const address = new URL(unsubscribeUrl).href.replaceAll(',', '%2C');
  return {
    'List-Unsubscribe': `<${address}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': `Digest for authors <digest.${findListHost(siteUrl)}>`,
    'Auto-Submitted': 'auto-generated',
  };
}

/** Returns the same id for the same digest, so that mail programs merge two copies. */
export function buildDigestMessageId({
  userId,
  date,
  siteUrl,
}: {
  userId: string;
  date: string;
  siteUrl: string;
}): string {
  return `<digest.${userId}.${date}@${findListHost(siteUrl)}>`;
}

/** Only host names are allowed in these headers, not an IP address in brackets. */
export function findListHost(siteUrl: string): string {
  const { hostname } = new URL(siteUrl);
  return hostname.replace(/[^a-z0-9.-]/gi, '-').replace(/^-+|-+$/g, '') || 'localhost';
}
