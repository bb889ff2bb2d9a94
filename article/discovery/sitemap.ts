/** Formats a sitemap and the index of its parts (sitemaps.org protocol 0.9). */

export interface SitemapAddress {
  url: string;
  changedAt?: Date | undefined;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The protocol allows 50,000 pages and 50 MB. Callers stay below both. */
export function formatSitemap(pages: readonly SitemapAddress[]): string {
  return format('urlset', 'url', pages);
}

export function formatSitemapIndex(parts: readonly SitemapAddress[]): string {
  return format('sitemapindex', 'sitemap', parts);
}

function format(root: string, element: string, addresses: readonly SitemapAddress[]): string {
  const lines = addresses.map(({ url, changedAt }) => {
    const lastmod = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
    return `<${element}><loc>${escapeXml(url)}</loc>${lastmod}</${element}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${lines.join('')}</${root}>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Addresses are percent-encoded, so no other character in them has a meaning in XML. */
function escapeXml(url: string): string {
  return url.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
