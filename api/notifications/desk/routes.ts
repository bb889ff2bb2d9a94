/** Routes that list the notifications at the desk and mark them as read. */
import type { FastifyInstance } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { nameDestination } from '../../../destinations/registry.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { readLinkedArticleId } from '../../../store/notifications/add.ts';
import { listNewestNotifications, markRead } from '../../../store/notifications/list.ts';
import { NOTIFICATIONS } from '../../../store/notifications/types.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { handleForm } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';

const PATH = '/desk/notifications';
const PAGE_LENGTH = 50;

export async function notificationsSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: { before?: unknown } }>(PATH, async (request, reply) => {
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

  app.post(`${PATH}/read`, { config: ALLOW_UNCONFIRMED }, (request, reply) =>
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

type ListedNotification = Awaited<ReturnType<typeof listNewestNotifications>>[number];

interface NotificationList {
  unread: number;
  isFirst: boolean;
  /** Names of the connected destinations. */
  connections: readonly { destination: DestinationKey; platform: string }[];
  olderPath: string | null;
}

function renderNotificationsPage(
  notifications: readonly ListedNotification[],
  { unread, isFirst, connections, olderPath }: NotificationList,
): Html {
  const [newest] = notifications;
  const markAll =
    newest && unread > 0
      ? html`<form method="post" action="/desk/notifications/read"><input type="hidden" name="upTo" value="${newest.id}"><button class="button compact">Mark all as read</button></form>`
      : null;
  const list =
    notifications.length > 0
      ? html`<ul class="notifications">${notifications.map((listed) => renderNotification(listed, connections))}</ul>`
      : html`<p class="empty">${isFirst ? 'No notifications yet. Deliveries, comments, followers and the weekly roundup appear here.' : 'No older notifications.'}</p>`;
  return html`<div id="notifications"><div class="actions spread"><p class="soft" role="status">${unread === 0 ? 'All read' : `${unread} unread`}</p>${isFirst ? markAll : null}</div>
${list}${olderPath === null ? null : html`<p><a class="button" href="${olderPath}">Older</a></p>`}</div>`;
}

function renderNotification(notification: ListedNotification, connections: NotificationList['connections']): Html {
  const { id, type, payload, link, readAt, createdAt } = notification;
  const { label, tone } = NOTIFICATIONS[type];
  const copy = payload.sharedUrl && isWebAddress(payload.sharedUrl) ? payload.sharedUrl : null;
  const markReadForm = html`<form method="post" action="/desk/notifications/read"><button class="button quiet compact" name="id" value="${id}">Mark as read</button></form>`;
  return html`<li id="n-${id}" class="${readAt === null ? 'unread' : ''}"><span class="state ${tone}">${label}</span>
<div><p>${readAt === null ? html`<strong class="sr-only">Unread: </strong>` : null}${describe(notification, connections)}</p>
${payload.reason ? html`<p class="small" dir="auto">${payload.reason}</p>` : null}
<p class="small soft">${renderTime(createdAt)}${link === null ? null : html` · <a href="${link}">${readLinkedArticleId(link) === null ? 'View' : 'View delivery'}</a>`}${
    copy ? html` · <a href="${copy}" rel="noopener">Open the copy</a>` : null
  }</p></div>
${readAt === null ? markReadForm : null}</li>`;
}

function describe({ type, payload }: ListedNotification, connections: NotificationList['connections']): Html {
  const key = DESTINATION_KEYS.find((listed) => listed === payload.platform?.toLowerCase());
  const values: Record<string, Html> = {
    title: html`<bdi>${payload.postTitle || 'an article'}</bdi>`,
    actor: html`<bdi>${payload.actorName ?? 'Someone'}</bdi>`,
    destination: html`${key === undefined ? 'A destination' : nameDestination(key, connections)}`,
  };
  // Odd parts are names of values.
  const parts = NOTIFICATIONS[type].text.split(/[{}]/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`${values[part]}` : html`${part}`))}`;
}
