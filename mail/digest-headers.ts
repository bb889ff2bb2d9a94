/** The headers that make a digest a mail of a list that one can leave (RFC 2369, 2919, 3834, 8058). */

/** `unsubscribeUrl` answers a POST of `List-Unsubscribe=One-Click`. Mail programs do so only over https. */
export function buildDigestHeaders({ unsubscribeUrl, siteUrl }: { unsubscribeUrl: string; siteUrl: string }) {
  // A blank, a comma or an angle bracket would end the address early; URLs percent-encode all but the comma.
  const address = new URL(unsubscribeUrl).href.replaceAll(',', '%2C');
  return {
    'List-Unsubscribe': `<${address}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': `Digest for authors <digest.${findListHost(siteUrl)}>`,
    'Auto-Submitted': 'auto-generated',
  };
}

/** Always the same for the same digest: two copies, should there ever be two, are one to whoever sorts them. */
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

/** Host names only: an address in brackets has no place in either header. */
function findListHost(siteUrl: string): string {
  const { hostname } = new URL(siteUrl);
  return hostname.replace(/[^a-z0-9.-]/gi, '-').replace(/^-+|-+$/g, '') || 'localhost';
}
