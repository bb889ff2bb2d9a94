/** What the event hub hears of: notifications, and the ends of sessions and accounts. After every reconnect all streams catch up from the table. */
import { NOTIFICATION_CHANNEL } from '../../store/notifications/add.ts';
import { SESSION_CHANNEL } from '../../store/sessions/end-sessions.ts';
import { SUSPENSION_CHANNEL } from '../../store/users/suspensions.ts';
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
        const { userId, number } = readAnnouncement(payload);
        if (typeof userId === 'string' && typeof number === 'number') hub.wake(userId, number);
      },
    },
    onListening: () => hub.wakeAll(),
  };
}

/** Nothing where it is another program's message on our channel. */
function readAnnouncement(payload: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(payload)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
