/**
 * Registers the routes for agents and search engines: documents, catalogues, changes, feeds and the
 * sitemap. Pages and their Markdown alternates are registered elsewhere.
 */
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import type { PublicResponder } from '../http-cache/public-responder.ts';
import { agentDocumentRoutes } from './agent-documents.ts';
import { catalogueRoutes } from './catalogues.ts';
import { changeRoutes } from './changes.ts';
import { feedRoutes } from './feeds.ts';
import { robotsRoutes } from './robots.ts';
import { sitemapRoutes } from './sitemap.ts';
import { wellKnownRoutes } from './well-known.ts';

export async function registerDiscovery(app: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  await app.register(agentDocumentRoutes, deps);
  await app.register(catalogueRoutes, deps);
  await app.register(wellKnownRoutes, deps);
  await app.register(changeRoutes, deps);
  await app.register(feedRoutes, deps);
  await app.register(sitemapRoutes, deps);
  await app.register(robotsRoutes, deps);
}
