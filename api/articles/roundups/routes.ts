/** Serves the weekly roundups (`/roundup`, `/roundup/2026-W47`) and their Markdown alternates. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { formatRoundupAlternate, formatRoundupListAlternate } from '../../../article/discovery/roundup-alternate.ts';
import { findLastChange } from '../../../store/changes/last-change.ts';
import { findRoundup, listRoundups } from '../../../store/roundups/read-roundups.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import type { PublicResponse } from '../../http-cache/public-response.ts';
import { buildPageResponse } from '../../web/page-response.ts';
import {
  addRelationHeaders,
  buildAbsentResponse,
  createRepresentations,
  parseFormName,
  type Representation,
  sendPageForm,
} from '../alternates/alternates.ts';
import { listPageLinks } from '../alternates/links.ts';
import { buildMarkdownResponse } from '../alternates/markdown-alternates.ts';
import { renderRoundupListPage, renderRoundupPage } from './page.ts';

/** Two years of weeks. */
const LIST_LENGTH = 104;

export async function roundupRoutes(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'db' | 'config'> & { responder: PublicResponder },
) {
  const { db, responder, config } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  for (const [path, isMarkdown] of [
    ['/roundup', false],
    ['/roundup.md', true],
  ] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      sendPageForm(
        responder,
        { request, reply, isMarkdown },
        { path: '/roundup', ...createRepresentations(buildListResponse) },
      ),
    );
  }

  app.get(
    '/roundup/:week',
    { schema: { hide: true, params: Type.Object({ week: Type.String() }) } },
    (request, reply) => {
      const { name: week, isMarkdown } = parseFormName(request.params.week, request);
      const representations = createRepresentations((representation) => buildRoundupResponse(week, representation));
      return sendPageForm(
        responder,
        { request, reply, isMarkdown },
        { path: `/roundup/${encodeURIComponent(week)}`, ...representations },
      );
    },
  );

  async function buildListResponse(representation: Representation): Promise<PublicResponse> {
    const roundups = await listRoundups(db, LIST_LENGTH);
    const weeks = roundups.map(({ week }) => week);
    const links = listPageLinks('/roundup', baseUrl);
    const cacheFields = { lastModified: roundups[0]?.at ?? null, cacheTags: ['roundups'] } as const;
    const response =
      representation === 'page'
        ? buildPageResponse(renderRoundupListPage(weeks, links), cacheFields)
        : buildMarkdownResponse(formatRoundupListAlternate(weeks, baseUrl), links, cacheFields);
    return addRelationHeaders(response, links, config.contentSignal);
  }

  async function buildRoundupResponse(week: string, representation: Representation): Promise<PublicResponse> {
    const lastModified = await findLastChange(db);
    const entries = await findRoundup(db, week);
    if (!entries) return buildAbsentResponse(representation);
    const links = listPageLinks(`/roundup/${week}`, baseUrl);
    const cacheFields = { lastModified, cacheTags: ['roundups', 'articles'] } as const;
    const response =
      representation === 'page'
        ? buildPageResponse(renderRoundupPage(week, entries, links), cacheFields)
        : buildMarkdownResponse(formatRoundupAlternate(week, entries, baseUrl), links, cacheFields);
    return addRelationHeaders(response, links, config.contentSignal);
  }
}
