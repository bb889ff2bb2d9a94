/** Payloads that no instance sends, on the channels that every instance listens to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addNotification, NOTIFICATION_CHANNEL } from '../../../store/notifications/add.ts';
import { SESSION_CHANNEL } from '../../../store/sessions/end-sessions.ts';
import { SUSPENSION_CHANNEL } from '../../../store/users/suspensions.ts';
import { startTestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';

const CHANNELS = [NOTIFICATION_CHANNEL, SESSION_CHANNEL, SUSPENSION_CHANNEL, 'courant_desk'];

test('a malformed payload on a channel is ignored, and later notifications arrive', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const stream = await openStream(api.url, await api.sessions.issue('courant:stream', api.author.id));
  for (const channel of CHANNELS) {
    await sql`notify ${sql.id(channel)}`.execute(api.db);
    await sql`notify ${sql.id(channel)}, 'not JSON'`.execute(api.db);
  }
  await api.db.transaction().execute((tx) =>
    addNotification(tx, {
      userId: api.author.id,
      type: 'CROSS_POST_SUCCESS',
      payload: { platform: 'BLOGSITE_A', postTitle: 'After', sharedUrl: 'https://blog.example/1' },
      dedupeKey: 'after-malformed',
      now: new Date(),
    }),
  );
  await stream.count(1);
  assert.equal(stream.events[0]?.data.postTitle, 'After');
  stream.close();
});
