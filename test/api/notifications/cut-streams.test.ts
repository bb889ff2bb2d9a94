/** Connections of many streams are cut repeatedly while notifications arrive. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addNotification } from '../../../store/notifications/add.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { eventually } from '../../support/eventually.ts';

const USERS = 20;
const STREAMS_EACH = 8;
const ROUNDS = 25;

test('160 streams that are cut at random while notifications arrive receive each one once and in order (F18)', async (t) => {
  const api = await startTestApi({ env: { STREAMS_PER_USER: '100', STREAMS_PER_ADDRESS: '10000' } });
  t.after(() => api.close());
  const userIds = await Promise.all(
    Array.from({ length: USERS }, async (_, n) => (await api.createAuthor(`cut-${n}`)).id),
  );
  let isOver = false;
  let cuts = 0;
  const readers = await Promise.all(
    userIds.flatMap((userId) => Array.from({ length: STREAMS_EACH }, () => startReader(api, userId))),
  );
  const cutting = (async () => {
    while (!isOver) {
      for (let n = 0; n < 10; n++) readers[Math.floor(Math.random() * readers.length)]?.cut();
      cuts += 10;
      await sleep(20);
    }
  })();

  // Concurrent transactions with several users each, always in the same order of users.
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(
      [0, 1].map((half) =>
        notify(
          api,
          userIds.filter((_, n) => n % 2 === half),
          `${round}`,
        ),
      ),
    );
  isOver = true;
  await cutting;
  await eventually(
    'every stream to have the last one',
    async () => readers.every(({ numbers }) => numbers.at(-1) === ROUNDS),
    { withinMs: 60_000 },
  );
  const expected = Array.from({ length: ROUNDS }, (_, n) => n + 1);
  for (const { numbers } of readers) assert.deepEqual(numbers, expected);
  assert.ok(cuts > 100, `${cuts} cuts`);
  await Promise.all(readers.map(({ stop }) => stop()));
});

async function notify(api: TestApi, userIds: string[], key: string): Promise<void> {
  await api.db.transaction().execute(async (tx) => {
    for (const userId of userIds) {
      const payload = { postTitle: `Number ${key}` };
      const dedupeKey = `${userId}/${key}`;
      await addNotification(tx, { userId, type: 'FEATURED_ROUNDUP', payload, dedupeKey, now: new Date() });
    }
  });
}

/** Reads as an EventSource does: it reconnects with the last id that it received. */
async function startReader(api: TestApi, userId: string) {
  const token = await api.sessions.issue('courant:stream', userId);
  const numbers: number[] = [];
  let stopped = false;
  let lastId = '0';
  let stream = await openStream(api.url, token, { 'last-event-id': lastId });
  const reading = (async () => {
    while (!stopped) {
      await stream.ended;
      numbers.push(...stream.events.map(({ id }) => Number(id)));
      lastId = stream.lastEventId() ?? lastId;
      if (!stopped) stream = await openStream(api.url, token, { 'last-event-id': lastId });
    }
  })();
  return {
    get numbers() {
      return [...numbers, ...stream.events.map(({ id }) => Number(id))];
    },
    cut: () => stream.close(),
    async stop() {
      stopped = true;
      stream.close();
      await reading;
    },
  };
}
