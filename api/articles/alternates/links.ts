/** Lists the link relations of a page, for its `<head>` and for its `Link` header (RFC 8288). */
import { buildDescriptionUrl, buildDocumentUrl, buildMarkdownUrl } from '../../../article/discovery/addresses.ts';
import { buildFeedUrl, FEED_FORMATS } from '../../../article/discovery/feeds/feed-formats.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { type Html, html } from '../../web/html.ts';

export interface Link {
  rel: 'canonical' | 'alternate' | 'describedby' | 'api-catalog';
  href: string;
  type?: string;
  title?: string;
}

export function listArticleLinks(article: StoredArticle, baseUrl: string): Link[] {
  const { slug } = article;
  const document = buildDocumentUrl(baseUrl, slug);
  return [
    { rel: 'canonical', href: article.canonicalUrl },
    { rel: 'alternate', href: buildMarkdownUrl(baseUrl, slug), type: 'text/markdown' },
    { rel: 'alternate', href: document, type: 'application/json' },
    { rel: 'describedby', href: document, type: 'application/json' },
    { rel: 'describedby', href: buildDescriptionUrl(baseUrl, slug), type: 'application/json' },
    ...listSiteLinks(baseUrl),
  ];
}

/** For a page that lists articles (`/`, `/authors/ada`). `title` names its feeds. */
export function listListLinks({ path, title }: { path: string; title: string }, baseUrl: string): Link[] {
  const address = `${baseUrl}${path}`;
  return [
    ...listPageLinks(path, baseUrl),
    ...FEED_FORMATS.map((format) => ({
      rel: 'alternate' as const,
      href: buildFeedUrl(address, format),
      type: format.type,
      title: `${title} (${format.name})`,
    })),
  ];
}

/** For a page with a canonical URL on this site and a Markdown alternate. */
export function listPageLinks(path: string, baseUrl: string): Link[] {
  const markdown = path === '/' ? '/index.md' : `${path}.md`;
  return [
    { rel: 'canonical', href: `${baseUrl}${path}` },
    { rel: 'alternate', href: `${baseUrl}${markdown}`, type: 'text/markdown' },
    ...listSiteLinks(baseUrl),
  ];
}

/** Relations that every page has. */
export function listSiteLinks(baseUrl: string): [describedBy: Link, apiCatalog: Link] {
  return [
    { rel: 'describedby', href: `${baseUrl}/llms.txt`, type: 'text/markdown' },
    { rel: 'api-catalog', href: `${baseUrl}/.well-known/api-catalog`, type: 'application/linkset+json' },
  ];
}

export function renderLinks(links: readonly Link[]): Html {
  return html`${links.map(
    ({ rel, href, type, title }) =>
      html`<link rel="${rel}"${type ? html` type="${type}"` : null}${title ? html` title="${title}"` : null} href="${href}">
`,
  )}`;
}

export function formatLinkHeader(links: readonly Link[]): string {
  return links
    .map(({ rel, href, type, title }) => {
      const parameters = [['rel', rel], ...(type ? [['type', type]] : [])].map(
        ([name, value]) => `; ${name}="${value}"`,
      );
      return `<${toAscii(href)}>${parameters.join('')}${title ? formatTitle(title) : ''}`;
    })
    .join(', ');
}

/** Non-ASCII titles need the extended notation of RFC 8187. */
function formatTitle(title: string): string {
  if (/^[ -~]*$/.test(title)) return `; title="${title.replace(/["\\]/g, '\\$&')}"`;
  return `; title*=UTF-8''${encodeURIComponent(title).replace(/['()*]/g, toCode)}`;
}

function toCode(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Encodes characters that could end the address or the header. */
function toAscii(text: string): string {
  return text.replace(/[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]/gu, encodeURIComponent);
}
