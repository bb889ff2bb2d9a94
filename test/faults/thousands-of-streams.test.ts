/**
 * Thousands of open event streams (`STREAMS`) to an API that is restarted and to one that is
 * killed.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { addNotification } from '../../store/notifications/add.ts';
import { prepareApi } from '../api/support/api-process.ts';
import { startTestApi, type TestAuthor } from '../support/api/api.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { openClient, type StreamClient } from './streams/client.ts';

const CLIENTS = Number(process.env.STREAMS || 5_000);
const AUTHORS = 50;
const OPEN_AT_ONCE = 250;
/** The time for thousands of clients to reconnect on a busy machine. */
const WITHIN_MS = 120_000;
/** The required limit of open files per process. */
const MIN_FILE_LIMIT = CLIENTS + 500;

test(`${CLIENTS} event clients of an API that is stopped, then killed: no event is missing or doubled, and reconnects are spread (F19)`, async (t) => {
  const allowed = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  if (allowed !== 'unlimited' && Number(allowed) < MIN_FILE_LIMIT) {
    t.skip(`a process may have ${allowed} open files here, and this takes ${MIN_FILE_LIMIT} ("ulimit -n")`);
    return;
  }
  const like = await startTestApi();
  t.after(() => like.close());
  await like.app.close();
  const limits = { STREAMS_PER_USER: String(CLIENTS), STREAMS_PER_ADDRESS: String(CLIENTS + 10) };
  const api = await prepareApi({ like, temporal: readTemporalAddress(), env: limits });
  t.after(() => api.kill());
  await api.start();
  const authors = await Promise.all(Array.from({ length: AUTHORS }, (_, n) => like.createAuthor(`thousands-${n}`)));
  const tokens = await Promise.all(authors.map(({ id }) => like.sessions.issue('courant:stream', id)));
  const clients: StreamClient[] = [];
  t.after(() => {
    for (const client of clients) client.close();
  });
  const waitUntilOpen = () =>
    eventually('all to be open', async () => clients.every((client) => client.isOpen()), { withinMs: WITHIN_MS });
  for (let opened = 0; opened < CLIENTS; opened += OPEN_AT_ONCE) {
    for (let n = opened; n < opened + OPEN_AT_ONCE; n++) clients.push(openClient(api.url, tokens[n % AUTHORS] ?? ''));
    await waitUntilOpen();
  }
  let notified = 0;
  const notifyAll = () => Promise.all(authors.map((author) => notify(author)));
  await notifyAll();

  for (const end of [api.stop, api.kill]) {
    const before = clients.map((client) => client.connections());
    await Promise.all([notifyAll(), end()]);
    await notifyAll();
    await api.start();
    await notifyAll();
    await waitUntilOpen();
    assert.ok(
      clients.every((client, n) => client.connections() > (before[n] ?? 0)),
      'each was cut off',
    );
    assertSpread(clients);
  }
  await notifyAll();
  const [{ count }] = (await like.db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', authors[0]?.id ?? '')
    .execute()) as [{ count: number }];
  const all = Array.from({ length: count }, (_, n) => n + 1).join();
  await eventually('every event everywhere', async () => clients.every(({ ids }) => ids.length >= count), {
    withinMs: WITHIN_MS,
  });
  const wrong = clients.map(({ ids }) => ids.join()).filter((ids) => ids !== all);
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${CLIENTS} clients`);

  async function notify(author: TestAuthor): Promise<void> {
    const payload = { platform: 'BLOGSITE_A', postTitle: 'A post', sharedUrl: 'https://blog.example/1' };
    const dedupeKey = `thousands:${++notified}`;
    await like.db
      .transaction()
      .execute((tx) =>
        addNotification(tx, { userId: author.id, type: 'CROSS_POST_SUCCESS', payload, dedupeKey, now: new Date() }),
      );
  }
});

/** Checks that the reconnection delays are spread evenly over four seconds. */
function assertSpread(clients: readonly StreamClient[]): void {
  const delays = clients.map((client) => client.retryMs());
  assert.ok(Math.min(...delays) >= 1_000 && Math.max(...delays) <= 5_000);
  for (let second = 1; second < 5; second++) {
    const within = delays.filter((ms) => Math.floor(ms / 1_000) === second).length;
    assert.ok(within > clients.length / 8, `${within} of ${clients.length} within second ${second}`);
  }
}
