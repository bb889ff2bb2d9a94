/**
 * Serves the index `/sitemap.xml` and its parts: articles, authors, tags and series, with up to ten
 * thousand addresses each, and the pages of the site itself.
 */
import type { FastifyInstance } from 'fastify';
import { buildSeriesPath, buildTagPath } from '../../article/discovery/paths.ts';
import { formatSitemap, formatSitemapIndex, type SitemapAddress } from '../../article/discovery/sitemap.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { listRoundups } from '../../store/roundups/read-roundups.ts';
import { type ListKind, listSitemapArticles, listSitemapLists } from '../../store/sitemap/pages.ts';
import { listArticleParts, listPartsOfLists } from '../../store/sitemap/parts.ts';
import type { PublicDeps } from '../deps.ts';
import type { PublicResponse } from '../http-cache/public-response.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
/** Nearly two hundred years of weeks. */
const MAX_ROUNDUPS = 10_000;

/** Keys are the names of the parts. */
const LISTS: Record<string, { kind: ListKind; buildPath: (name: string) => string }> = {
  authors: { kind: 'author', buildPath: (username) => `/authors/${username}` },
  tags: { kind: 'tag', buildPath: buildTagPath },
  series: { kind: 'series', buildPath: buildSeriesPath },
};

export async function sitemapRoutes(app: FastifyInstance, { db, config, responder }: PublicDeps) {
  const { baseUrl } = config;

  responder.serve(app, '/sitemap.xml', buildIndex);
  app.get<{ Params: { part: string } }>('/sitemap-:part.xml', (request, reply) => {
    const { part } = request.params;
    const key = `/sitemap-${encodeURIComponent(part)}.xml`;
    return responder.send(request, reply, { key, make: () => buildPart(part) });
  });

  async function buildIndex(): Promise<PublicResponse> {
    const lastModified = await findLastChange(db);
    const name = (kind: string, part: number) => `${baseUrl}/sitemap-${kind}-${part}.xml`;
    const articles = await listArticleParts(db);
    const parts: SitemapAddress[] = articles.map(({ part, changedAt }) => ({ url: name('articles', part), changedAt }));
    for (const [kind, list] of Object.entries(LISTS)) {
      for (const part of await listPartsOfLists(db, list.kind)) parts.push({ url: name(kind, part) });
    }
    return buildResponse(formatSitemapIndex([...parts, { url: `${baseUrl}/sitemap-pages.xml` }]), lastModified);
  }

  async function buildPart(part: string): Promise<PublicResponse> {
    const lastModified = await findLastChange(db);
    return buildResponse(formatSitemap(await listPages(part)), lastModified);
  }

  async function listPages(part: string): Promise<SitemapAddress[]> {
    if (part === 'pages') return listOwnPages();
    const [, kind = '', digits] = /^([a-z]+)-(0|[1-9]\d{0,5})$/.exec(part) ?? [];
    const pages = kind === 'articles' ? await listArticles(Number(digits)) : await listLists(kind, Number(digits));
    // The protocol does not allow an empty sitemap.
    if (pages.length === 0) throw new ProblemError(404, 'not_found', 'The sitemap has no such part.');
    return pages;
  }

  async function listArticles(part: number): Promise<SitemapAddress[]> {
    const articles = await listSitemapArticles(db, part);
    return articles.map(({ name, changedAt }) => ({ url: buildArticleUrl(baseUrl, name), changedAt }));
  }

  async function listLists(name: string, part: number): Promise<SitemapAddress[]> {
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (!list) return [];
    const found = await listSitemapLists(db, list.kind, part);
    return found.map(({ name, changedAt }) => ({ url: `${baseUrl}${list.buildPath(name)}`, changedAt }));
  }

  async function listOwnPages(): Promise<SitemapAddress[]> {
    const weeks = await listRoundups(db, MAX_ROUNDUPS);
    const roundups = weeks.length === 0 ? [] : ['/roundup', ...weeks.map(({ week }) => `/roundup/${week}`)];
    return ['/', ...roundups].map((path) => ({ url: `${baseUrl}${path}` }));
  }
}

function buildResponse(body: string, lastModified: Date | null): PublicResponse {
  return { status: 200, type: XML_TYPE, body, lastModified, cacheTags: ['articles', 'roundups'] };
}
