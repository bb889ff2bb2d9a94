/** The desk's articles: the list with its grid, each article's own page, and their commands. */
import type { DeskDeps } from '../../deps.ts';
import type { FastifyInstance } from 'fastify';
import { articleRoutes } from '../article/routes.ts';
import { commandRoutes } from '../article/command-routes.ts';
import { listRoutes } from './routes.ts';
import { retryRoutes } from './retry-routes.ts';

export async function articlesSection(app: FastifyInstance, deps: DeskDeps) {
  await app.register(listRoutes, deps);
  await app.register(articleRoutes, deps);
  await app.register(commandRoutes, deps);
  await app.register(retryRoutes, deps);
}
