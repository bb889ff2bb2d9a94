/** Serves the catalogues for agents: `GET /llms.txt` and `GET /llms-full.txt`. */
import type { FastifyInstance } from 'fastify';
import {
  type CatalogueEntry,
  formatLlmsFullTxt,
  formatLlmsTxt,
  MAX_CATALOGUE_ENTRIES,
} from '../../article/discovery/catalogue.ts';
import { decideContentSignal } from '../../article/discovery/content-signal.ts';
import { describeSite } from '../../article/discovery/site.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { listForCatalogue } from '../../store/lists/list-for-catalogue.ts';
import { listRoundups } from '../../store/roundups/read-roundups.ts';
import { formatLinkHeader, listSiteLinks } from '../articles/alternates/links.ts';
import { buildContentSignalHeader } from '../articles/alternates/markdown-alternates.ts';
import type { ApiConfig } from '../config.ts';
import type { ApiDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN, MARKDOWN_TYPE, NOT_INDEXED } from '../http-cache/headers.ts';
import type { PublicResponder } from '../http-cache/public-responder.ts';
import type { PublicResponse } from '../http-cache/public-response.ts';

const DOCUMENTS = { '/llms.txt': formatLlmsTxt, '/llms-full.txt': formatLlmsFullTxt } as const;

export async function catalogueRoutes(app: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  const { db, config, responder } = deps;

  for (const path of ['/llms.txt', '/llms-full.txt'] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      responder.send(request, reply, { key: path, make: () => buildCatalogue(path) }),
    );
  }

  async function buildCatalogue(path: keyof typeof DOCUMENTS): Promise<PublicResponse> {
    const { baseUrl, contentSignal } = config;
    // Read before the entries: a change in between can make the date too old, never too new.
    const lastModified = await findLastChange(db);
    const rows = contentSignal.search === false ? [] : await listForCatalogue(db, MAX_CATALOGUE_ENTRIES);
    const body = DOCUMENTS[path](
      { ...describeSite(baseUrl), contentSignal, hasRoundups: (await listRoundups(db, 1)).length > 0 },
      rows.map((row) => toEntry(row, config)),
    );
    return {
      status: 200,
      type: MARKDOWN_TYPE,
      body,
      headers: {
        link: formatLinkHeader([
          ...(path === '/llms.txt' ? [] : [{ rel: 'describedby', href: `${baseUrl}/llms.txt` } as const]),
          ...listSiteLinks(baseUrl).filter(({ rel }) => rel === 'api-catalog'),
        ]),
        ...NOT_INDEXED,
        ...FOR_ANY_ORIGIN,
        ...buildContentSignalHeader(contentSignal),
      },
      lastModified,
      cacheTags: ['articles', 'roundups'],
    };
  }
}

type Row = Awaited<ReturnType<typeof listForCatalogue>>[number];

function toEntry(row: Row, { baseUrl, contentSignal }: ApiConfig): CatalogueEntry {
  const { slug, title, authorName, authorUsername, updatedAt } = row;
  return {
    ...{ slug, title, authorName, authorUsername, updatedAt },
    canonicalUrl: row.givenCanonicalUrl ?? buildArticleUrl(baseUrl, slug),
    publishedAt: row.publishedAt ?? updatedAt,
    topics: row.topicSignals ?? row.tags,
    tags: row.tags,
    excerpt: row.abstract ?? '',
    contentSignal: decideContentSignal(contentSignal, row),
  };
}
