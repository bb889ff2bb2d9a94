/**
 * Serves the index `/sitemap.xml` and its parts: articles, authors, tags and series, with up to ten
 * thousand addresses each, and the pages of the site itself.
 */
import type { FastifyInstance } from 'fastify';
import { buildSeriesPath, buildTagPath } from '../../article/discovery/paths.ts';
import { formatSitemap, formatSitemapIndex, type SitemapAddress } from '../../article/discovery/sitemap.ts';
import { findLastChange } from '../../store/changes/list-changes.ts';
import { listRoundups } from '../../store/roundups/read-roundups.ts';
import {
  type ListKind,
  listArticleParts,
  listPartsOfLists,
  listSitemapArticles,
  listSitemapLists,
} from '../../store/sitemap/pages.ts';
import type { PublicDeps } from '../deps.ts';
import type { PublicResponse } from '../http-cache/public-response.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
/** Nearly two hundred years of weeks. */
const MAX_ROUNDUPS = 10_000;

/** Keys are the names of the parts. */
const LISTS: Record<string, { kind: ListKind | 'article'; buildPath: (name: string) => string }> = {
  articles: { kind: 'article', buildPath: (slug) => `/${encodeURIComponent(slug)}` },
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
    const parts: SitemapAddress[] = [];
    for (const [name, { kind }] of Object.entries(LISTS)) {
      const found =
        kind === 'article' ? await listArticleParts(db) : (await listPartsOfLists(db, kind)).map((part) => ({ part }));
      for (const { part, ...times } of found) parts.push({ url: `${baseUrl}/sitemap-${name}-${part}.xml`, ...times });
    }
    return buildResponse(formatSitemapIndex([...parts, { url: `${baseUrl}/sitemap-pages.xml` }]), lastModified);
  }

  async function buildPart(part: string): Promise<PublicResponse> {
    const lastModified = await findLastChange(db);
    return buildResponse(formatSitemap(await listPages(part)), lastModified);
  }

  async function listPages(part: string): Promise<SitemapAddress[]> {
    if (part === 'pages') return listOwnPages();
    const [, name = '', digits] = /^([a-z]+)-(0|[1-9]\d{0,5})$/.exec(part) ?? [];
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    const number = Number(digits);
    const pages =
      list &&
      (list.kind === 'article' ? await listSitemapArticles(db, number) : await listSitemapLists(db, list.kind, number));
    // The protocol does not allow an empty sitemap.
    if (!pages?.length) throw new ProblemError(404, 'not_found', 'The sitemap has no such part.');
    return pages.map(({ name, changedAt }) => ({ url: `${baseUrl}${list?.buildPath(name)}`, changedAt }));
  }

  async function listOwnPages(): Promise<SitemapAddress[]> {
    const weeks = await listRoundups(db, MAX_ROUNDUPS);
    const roundups = weeks.length === 0 ? [] : ['/roundup', ...weeks.map(({ week }) => `/roundup/${week}`)];
    return ['/', '/about', ...roundups].map((path) => ({ url: `${baseUrl}${path}` }));
  }
}

function buildResponse(body: string, lastModified: Date | null): PublicResponse {
  return { status: 200, type: XML_TYPE, body, lastModified, cacheTags: ['articles', 'roundups'] };
}
