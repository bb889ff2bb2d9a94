/** Registers the desk's list of articles, the page of an article, and their commands. */

import type { FastifyInstance } from 'fastify';
import type { DeskDeps } from '../../deps.ts';
import { commandRoutes } from '../article/command-routes.ts';
import { articleRoutes } from '../article/routes.ts';
import { retryRoutes } from './retry-routes.ts';
import { listRoutes } from './routes.ts';

export async function articlesSection(app: FastifyInstance, deps: DeskDeps) {
  await app.register(listRoutes, deps);
  await app.register(articleRoutes, deps);
  await app.register(commandRoutes, deps);
  await app.register(retryRoutes, deps);
}
