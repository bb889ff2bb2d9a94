/** Serves the catalogues for agents: `GET /llms.txt` and `GET /llms-full.txt`. */
import type { FastifyInstance } from 'fastify';
import { formatLlmsFullTxt, formatLlmsTxt, MAX_CATALOGUE_ENTRIES } from '../../article/discovery/catalogue.ts';
import { decideContentSignal } from '../../article/discovery/content-signal.ts';
import { describeSite } from '../../article/discovery/site.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { findLastChange } from '../../store/changes/list-changes.ts';
import { listForCatalogue } from '../../store/lists/list-for-catalogue.ts';
import { listRoundups } from '../../store/roundups/read-roundups.ts';
import { buildContentSignalHeader } from '../articles/alternates/alternates.ts';
import { formatLinkHeader, type Link, listSiteLinks } from '../articles/alternates/links.ts';
import type { PublicDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN, MARKDOWN_TYPE, NOT_INDEXED, type PublicResponse } from '../http-cache/public-response.ts';

export async function catalogueRoutes(app: FastifyInstance, { db, config, responder }: PublicDeps) {
  const { baseUrl, contentSignal } = config;
  const [describedBy, apiCatalog] = listSiteLinks(baseUrl);
  responder.serve(app, '/llms.txt', () => buildCatalogue(formatLlmsTxt, [apiCatalog]));
  responder.serve(app, '/llms-full.txt', () => buildCatalogue(formatLlmsFullTxt, [describedBy, apiCatalog]));

  async function buildCatalogue(format: typeof formatLlmsTxt, links: readonly Link[]): Promise<PublicResponse> {
    // Read before the entries: a change in between can make the date too old, never too new.
    const lastModified = await findLastChange(db);
    const rows = contentSignal.search === false ? [] : await listForCatalogue(db, MAX_CATALOGUE_ENTRIES);
    const body = format(
      { ...describeSite(baseUrl), contentSignal, hasRoundups: (await listRoundups(db, 1)).length > 0 },
      rows.map(({ givenCanonicalUrl, topicSignals, abstract, ...row }) => ({
        ...row,
        canonicalUrl: givenCanonicalUrl ?? buildArticleUrl(baseUrl, row.slug),
        publishedAt: row.publishedAt ?? row.updatedAt,
        topics: topicSignals ?? row.tags,
        excerpt: abstract ?? '',
        contentSignal: decideContentSignal(contentSignal, row),
      })),
    );
    const headers = {
      link: formatLinkHeader(links),
      ...NOT_INDEXED,
      ...FOR_ANY_ORIGIN,
      ...buildContentSignalHeader(contentSignal),
    };
    return { status: 200, type: MARKDOWN_TYPE, body, headers, lastModified, cacheTags: ['articles', 'roundups'] };
  }
}
