/**
 * Connects the event hub to its channels: notifications, desk changes, ended sessions and
 * suspensions. After a reconnect, notification streams read the table and desk pages reload.
 */
import { NOTIFICATION_CHANNEL } from '../../../store/notifications/announce.ts';
import type { NotificationEvent } from '../../../store/notifications/event.ts';
import { SESSION_CHANNEL } from '../../../store/sessions/end-sessions.ts';
import { SUSPENSION_CHANNEL } from '../../../store/users/suspensions.ts';
import { DESK_CHANNEL, readDeskChange } from './desk-stream.ts';
import type { EventHub } from './event-hub.ts';
import type { ListenerAudience } from './notification-listener.ts';

export function createHubAudience(hub: EventHub): ListenerAudience {
  return {
    channels: {
      [SUSPENSION_CHANNEL]: (userId) => hub.end(userId),
      [SESSION_CHANNEL]: (payload) => {
        const { userId, sessionId } = readAnnouncement(payload);
        if (typeof userId === 'string' && typeof sessionId === 'string') hub.endSession({ userId, sessionId });
      },
      [NOTIFICATION_CHANNEL]: (payload) => {
        const { userId, number, event } = readAnnouncement(payload);
        if (typeof userId === 'string' && typeof number === 'number') {
          hub.sendNewNotifications(userId, number, event as NotificationEvent | undefined);
        }
      },
      [DESK_CHANNEL]: (payload) => {
        const announced = readDeskChange(payload);
        if (announced) hub.sendDeskChange(announced.userId, announced.change);
      },
    },
    onListening: () => hub.catchUpAll(),
  };
}

/** Returns an empty object for a message of another program on the channel. */
function readAnnouncement(payload: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(payload)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
