/** A half-open LISTEN connection: the network dropped it without notifying either end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addNotification } from '../../../store/notifications/add.ts';
import { startTestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** A probe must be answered within 5 s. The rest allows for a busy machine. */
const NOTICED_WITHIN_MS = 20_000;

test('a half-open LISTEN connection is detected by its probe, and streams catch up once and in order (F20)', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const proxy = await startTcpProxy({ port: Number(new URL(database.url).port) });
  t.after(() => proxy.close());
  const throughProxy = new URL(database.url);
  throughProxy.port = String(proxy.port);
  // The pool connects directly to the database, so the proxy cuts off only the listener.
  const api = await startTestApi({ databaseUrl: database.url, env: { DATABASE_URL: throughProxy.href } });
  t.after(() => api.close());
  const stream = await openStream(api.url, await api.sessions.issue('courant:stream', api.author.id));
  let notified = 0;
  const notify = (postTitle: string) =>
    api.db.transaction().execute((tx) =>
      addNotification(tx, {
        userId: api.author.id,
        type: 'CROSS_POST_SUCCESS',
        payload: { platform: 'BLOGSITE_A', postTitle, sharedUrl: 'https://blog.example/1' },
        dedupeKey: `half-open:${++notified}`,
        now: new Date(),
      }),
    );
  await eventually('the listener', async () => (await countListeners()) === 1);
  await notify('Before');
  await stream.count(1);

  assert.equal(proxy.freezeOpenConnections(), 1);
  await notify('Into the void');
  await notify('Another');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(stream.events.length, 1, 'nothing woke the stream');
  await stream.count(3, NOTICED_WITHIN_MS);
  await notify('After');
  await stream.count(4);
  assert.deepEqual(
    stream.events.map(({ id, data }) => [id, data.postTitle]),
    [
      ['1', 'Before'],
      ['2', 'Into the void'],
      ['3', 'Another'],
      ['4', 'After'],
    ],
  );
  stream.close();

  async function countListeners(): Promise<number> {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`.execute(api.db);
    return rows.length;
  }
});
