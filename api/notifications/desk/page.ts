/** Desk page that lists an author's notifications, newest first. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { nameDestination } from '../../../destinations/name-destination.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import { readLinkedArticleId } from '../../../store/notifications/article-link.ts';
import type { listNewestNotifications } from '../../../store/notifications/list.ts';
import { NOTIFICATIONS } from '../../../store/notifications/types.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';

export type ListedNotification = Awaited<ReturnType<typeof listNewestNotifications>>[number];

export interface NotificationList {
  unread: number;
  isFirst: boolean;
  /** Names of the connected destinations. */
  connections: readonly { destination: DestinationKey; platform: string }[];
  olderPath: string | null;
}

export function renderNotificationsPage(
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
