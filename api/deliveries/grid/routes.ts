/** Serves the desk's list of articles with its grid of destinations. */

import type { FastifyInstance } from 'fastify';
import { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findKnownZone } from '../../web/desk/time-zone.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderFirstSteps } from './first-steps.ts';
import { loadGrid } from './load-grid.ts';
import { LIST_ACTIONS, renderListPage } from './page.ts';
import { type GridQuery, isEmptyFilter, readFilter, readPages } from './read-filter.ts';

export async function listRoutes(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: GridQuery }>('/desk', async (request, reply) => {
    const { userId: authorId } = getViewer(request);
    const filter = readFilter(request.query);
    const scope = { authorId, now: now() };
    const grid = await loadGrid(db, scope, { filter, pages: readPages(request.query, filter) });
    const page = { title: 'Articles', current: 'articles', actions: LIST_ACTIONS } as const;
    if (grid.rows.length > 0 || !isEmptyFilter(filter)) {
      const list = renderListPage(grid, { back: request.url, zone: findKnownZone(request) });
      return sendDeskPage(request, reply, page, list);
    }
    const tokens = await listOwnTokens(db, authorId, scope.now);
    const steps = { isConnected: grid.connections.length > 0, hasToken: tokens.length > 0 };
    return sendDeskPage(request, reply, page, renderFirstSteps(steps));
  });
}
