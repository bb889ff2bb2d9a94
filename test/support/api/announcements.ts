/** Collects the messages that commits send to all instances. */
import pg from 'pg';
import { NOTIFICATION_CHANNEL } from '../../../store/notifications/add.ts';

/** `end` stops listening and returns the messages. */
export async function listenForAnnouncements(url: string): Promise<{ end(): Promise<string[]> }> {
  const listener = new pg.Client({ connectionString: url });
  const messages: string[] = [];
  listener.on('notification', ({ payload = '' }) => messages.push(payload));
  await listener.connect();
  await listener.query(`listen ${NOTIFICATION_CHANNEL}`);
  return {
    async end() {
      // The messages of earlier commits arrive before the response to this statement.
      await listener.query(`listen ${NOTIFICATION_CHANNEL}`);
      await listener.end();
      return messages;
    },
  };
}
