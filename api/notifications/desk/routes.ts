/** Routes that list the notifications at the desk and mark them as read. */

import type { FastifyInstance } from 'fastify';
import { listConnections } from '../../../store/connections/list.ts';
import { listNewestNotifications } from '../../../store/notifications/list.ts';
import { markRead } from '../../../store/notifications/mark-read.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { readField } from '../../web/forms.ts';
import { handleForm } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderNotificationsPage } from './page.ts';

const PATH = '/desk/notifications';
const PAGE_LENGTH = 50;

export async function notificationsSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: { before?: unknown } }>(PATH, { schema: { hide: true } }, async (request, reply) => {
    const { userId, unread } = getViewer(request);
    const before = readNumber(request.query.before);
    const [found, connections] = await Promise.all([
      listNewestNotifications(db, { userId, before, limit: PAGE_LENGTH + 1 }),
      listConnections(db, userId),
    ]);
    const shown = found.slice(0, PAGE_LENGTH);
    const last = found.length > PAGE_LENGTH ? shown.at(-1) : undefined;
    const body = renderNotificationsPage(shown, {
      unread,
      isFirst: before === null,
      connections,
      olderPath: last ? `${PATH}?before=${last.number}` : null,
    });
    return sendDeskPage(request, reply, { title: 'Notifications', current: 'notifications' }, body);
  });

  app.post(`${PATH}/read`, { schema: { hide: true }, config: ALLOW_UNCONFIRMED }, (request, reply) =>
    handleForm(reply, PATH, async () => {
      const [id, upTo] = [readField(request, 'id'), readField(request, 'upTo')];
      // An empty form marks nothing as read, not everything.
      const selection = id === '' ? { upTo } : { ids: [id] };
      await markRead(db, { userId: getViewer(request).userId, ...selection, now: now() });
      return id === '' ? 'All marked as read.' : 'Marked as read.';
    }),
  );
}

function readNumber(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;
}
