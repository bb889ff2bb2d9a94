/** Desk page that lists an author's notifications, newest first. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { isWebAddress } from '../../../config/web-address.ts';
import { nameDestination } from '../../../destinations/name-destination.ts';
import type { NotificationType } from '../../../store/db/json-columns.ts';
import { readArticleLink } from '../../../store/notifications/article-link.ts';
import type { listNewestNotifications } from '../../../store/notifications/list.ts';
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
      ? html`<ul class="notifications">${notifications.map((one) => renderNotification(one, connections))}</ul>`
      : html`<p class="empty">${isFirst ? 'Nothing happened yet. Deliveries, comments, followers and the weekly roundup are told here.' : 'There is nothing older.'}</p>`;
  return html`<div id="notifications"><div class="actions spread"><p class="soft" role="status">${unread === 0 ? 'Everything is read.' : `${unread} unread`}</p>${isFirst ? markAll : null}</div>
${list}${olderPath === null ? null : html`<p><a class="button" href="${olderPath}">Older</a></p>`}</div>`;
}

const KINDS: Record<NotificationType, { word: string; tone: 'good' | 'bad' | 'info' }> = {
  NEW_COMMENT: { word: 'Comment', tone: 'info' },
  COMMENT_REPLY: { word: 'Reply', tone: 'info' },
  ACCEPTED_ANSWER: { word: 'Accepted', tone: 'good' },
  NEW_FOLLOWER: { word: 'Follower', tone: 'info' },
  CROSS_POST_SUCCESS: { word: 'Delivered', tone: 'good' },
  CROSS_POST_FAILED: { word: 'Failed', tone: 'bad' },
  FEATURED_ROUNDUP: { word: 'Featured', tone: 'good' },
};

function renderNotification(notification: ListedNotification, connections: NotificationList['connections']): Html {
  const { id, type, payload, link, readAt, createdAt } = notification;
  const { word, tone } = KINDS[type];
  const copy = payload.sharedUrl && isWebAddress(payload.sharedUrl) ? payload.sharedUrl : null;
  const read = html`<form method="post" action="/desk/notifications/read"><button class="button quiet compact" name="id" value="${id}">Mark as read</button></form>`;
  return html`<li id="n-${id}" class="${readAt === null ? 'unread' : ''}"><span class="state ${tone}">${word}</span>
<div><p>${readAt === null ? html`<strong class="sr-only">Unread: </strong>` : null}${describe(notification, connections)}</p>
${payload.reason ? html`<p class="small" dir="auto">${payload.reason}</p>` : null}
<p class="small soft">${renderTime(createdAt)}${link === null ? null : html` · <a href="${link}">${readArticleLink(link) === null ? 'See it here' : 'At the desk'}</a>`}${
    copy ? html` · <a href="${copy}" rel="noopener">Open the copy</a>` : null
  }</p></div>
${readAt === null ? read : null}</li>`;
}

function describe({ type, payload }: ListedNotification, connections: NotificationList['connections']): Html {
  const title = html`<bdi>${payload.postTitle || 'an article'}</bdi>`;
  const actor = html`<bdi>${payload.actorName ?? 'Somebody'}</bdi>`;
  const key = DESTINATION_KEYS.find((one) => one === payload.platform?.toLowerCase());
  const place = key === undefined ? 'a destination' : nameDestination(key, connections);
  switch (type) {
    case 'NEW_COMMENT':
      return html`${actor} commented on “${title}”`;
    case 'COMMENT_REPLY':
      return html`${actor} replied to your comment on “${title}”`;
    case 'ACCEPTED_ANSWER':
      return html`${actor} accepted your answer on “${title}”`;
    case 'NEW_FOLLOWER':
      return html`${actor} follows you`;
    case 'CROSS_POST_SUCCESS':
      return html`“${title}” is at ${place}`;
    case 'CROSS_POST_FAILED':
      return html`“${title}” was not taken at ${place}`;
    case 'FEATURED_ROUNDUP':
      return html`“${title}” is in the weekly roundup`;
  }
}
