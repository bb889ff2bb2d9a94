/** What is announced to all instances when a transaction commits, as a listener hears it. */
import pg from 'pg';
import { NOTIFICATION_CHANNEL } from '../../store/notifications/announce.ts';

/** Hears until it is asked what that was. */
export async function listenForAnnouncements(url: string): Promise<{ end(): Promise<string[]> }> {
  const listener = new pg.Client({ connectionString: url });
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.connect();
  await listener.query(`listen ${NOTIFICATION_CHANNEL}`);
  return {
    async end() {
      // Its answer comes behind what was committed before.
      await listener.query(`listen ${NOTIFICATION_CHANNEL}`);
      await listener.end();
      return heard;
    },
  };
}
