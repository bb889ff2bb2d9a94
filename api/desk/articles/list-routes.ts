/** The list of articles with its grid, and one row of it, which the page's script asks for when something happened: of an article, or of what is told. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { readArticleLink } from '../../../store/notifications/article-link.ts';
import { findNotificationLink } from '../../../store/notifications/list.ts';
import { listOwnTokens } from '../../../store/users/own-tokens.ts';
import { renderFirstSteps } from '../../pages/desk/articles/first-steps.ts';
import { renderRow } from '../../pages/desk/articles/grid-row.ts';
import { LIST_ACTIONS, renderListPage } from '../../pages/desk/articles/list-page.ts';
import { PRIVATE_HEADERS, sendPage } from '../../pages/send-page.ts';
import { sendDeskPage } from '../../web/send-desk-page.ts';
import { getViewer } from '../../web/viewer.ts';
import type { DeskDeps } from '../deps.ts';
import { loadGrid, loadRow } from './load-grid.ts';
import { createNotFoundError } from './own-article.ts';
import { type GridQuery, isEmptyFilter, readFilter, readPages } from './read-filter.ts';

/** `columns`: the destinations of the page, in its order. */
interface RowQuery {
  columns?: unknown;
  brief?: unknown;
}

export async function listRoutes(app: FastifyInstance, { db, now }: DeskDeps) {
  const schema = { hide: true };

  app.get<{ Querystring: GridQuery }>('/desk', { schema }, async (request, reply) => {
    const { userId: authorId } = getViewer(request);
    const filter = readFilter(request.query);
    const asked = { authorId, now: now() };
    const grid = await loadGrid(db, asked, { filter, pages: readPages(request.query, filter) });
    const page = { title: 'Articles', current: 'articles', actions: LIST_ACTIONS } as const;
    if (grid.rows.length > 0 || !isEmptyFilter(filter)) {
      return sendDeskPage(request, reply, page, renderListPage(grid, request.url));
    }
    const tokens = await listOwnTokens(db, authorId, asked.now);
    const steps = { isConnected: grid.connections.length > 0, hasToken: tokens.length > 0 };
    return sendDeskPage(request, reply, page, renderFirstSteps(steps));
  });

  app.get<{ Params: { id: string }; Querystring: RowQuery }>('/desk/articles/:id/row', { schema }, (request, reply) =>
    sendRow(request, reply, request.params.id),
  );

  app.get<{ Params: { id: string }; Querystring: RowQuery }>(
    '/desk/notifications/:id/row',
    { schema },
    async (request, reply) => {
      const { id } = request.params;
      const { userId } = getViewer(request);
      const articleId = isUuid(id) ? readArticleLink(await findNotificationLink(db, { userId, id })) : null;
      if (articleId === null) throw createNotFoundError();
      return sendRow(request, reply, articleId);
    },
  );

  async function sendRow(
    request: FastifyRequest<{ Querystring: RowQuery }>,
    reply: FastifyReply,
    articleId: string,
  ): Promise<FastifyReply> {
    const { columns, brief } = request.query;
    const keys = typeof columns === 'string' ? columns.split(',') : [];
    const asked = { authorId: getViewer(request).userId, now: now() };
    const destinations = DESTINATION_KEYS.filter((key) => keys.includes(key));
    const found = await loadRow(db, asked, { articleId, destinations });
    if (!found) throw createNotFoundError();
    return sendPage(reply, 200, renderRow(found.row, brief !== undefined).text, PRIVATE_HEADERS);
  }
}
