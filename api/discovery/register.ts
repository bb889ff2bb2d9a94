/** What agents and search engines find by its address, apart from the pages and their Markdown: documents, catalogues, changes, feeds, sitemap. */
import type { FastifyInstance } from 'fastify';
import type { Answers } from '../http-cache/response-cache.ts';
import type { ApiDeps } from '../deps.ts';
import { agentDocumentRoutes } from './agent-documents.ts';
import { catalogueRoutes } from './catalogues.ts';
import { changeRoutes } from './changes.ts';
import { feedRoutes } from './feeds.ts';
import { robotsRoutes } from './robots.ts';
import { sitemapRoutes } from './sitemap.ts';
import { wellKnownRoutes } from './well-known.ts';

export async function registerDiscovery(app: FastifyInstance, deps: ApiDeps & { answers: Answers }) {
  await app.register(agentDocumentRoutes, deps);
  await app.register(catalogueRoutes, deps);
  await app.register(wellKnownRoutes, deps);
  await app.register(changeRoutes, deps);
  await app.register(feedRoutes, deps);
  await app.register(sitemapRoutes, deps);
  await app.register(robotsRoutes, deps);
}
