/** The event hub with real sockets: order, replay, stalled clients and repeated reads. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { createEventHub } from '../../../api/notifications/stream/event-hub.ts';
import type { Database } from '../../../store/db/database.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { describeEvent, type NotificationEvent } from '../../../store/notifications/event.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('the next announced event is sent as announced; after a gap, events are read once and in order', async (t) => {
  const { userId, hub, port } = await startHub(t, 'announced');
  const socket = openSocket(port);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const numbers = () =>
    [...received.matchAll(/^event: notification\nid: (\d+)$/gm)].map(([, number]) => Number(number));
  await eventually('the stream', async () => /^id: 0$/m.test(received));
  const announce = (number: number) =>
    hub.sendNewNotifications(userId, number, {
      id: `as-announced-${number}`,
      type: 'FEATURED_ROUNDUP',
      createdAt: new Date().toISOString(),
    });
  let last = 0;
  // The first read of a stream can also include new events, so the test repeats until it is over.
  while (!received.includes('as-announced')) {
    last += 1;
    await notify(userId, last);
    announce(last);
    await eventually(`number ${last}`, async () => numbers().includes(last));
  }
  for (const more of [1, 2]) await notify(userId, last + more);
  announce(last + 2);
  announce(last + 2);
  announce(last + 1);
  await eventually('what was missing', async () => numbers().includes(last + 2));
  await notify(userId, last + 3);
  hub.sendNewNotifications(userId);
  await eventually('the last one', async () => numbers().includes(last + 3));
  assert.deepEqual(
    numbers(),
    Array.from({ length: last + 3 }, (_, index) => index + 1),
  );
  assert.doesNotMatch(received, new RegExp(`as-announced-${last + 2}`));
  socket.destroy();
});

test('a client that stops reading is disconnected at a limit, and other clients receive everything (F18)', async (t) => {
  const { userId, hub, port, responses } = await startHub(t, 'stalled');

  const stalled = openSocket(port);
  await eventually('the first stream', async () => hub.streamCount() === 1);
  stalled.pause();
  const reading = openSocket(port);
  let received = '';
  reading.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  await eventually('both streams', async () => hub.streamCount() === 2);

  const total = 300;
  let unreadBytes = 0;
  for (let n = 1; n <= total; n++) {
    const event = await notify(userId, n);
    // Alternates between announcements with and without the event, which is absent if it is too
    // long.
    if (n % 2) hub.sendNewNotifications(userId, n, event);
    else hub.sendNewNotifications(userId, n);
    unreadBytes = Math.max(unreadBytes, ...responses.map((response) => response.writableLength));
  }
  await eventually('everything to arrive', async () => received.includes(`id: ${total}\n`));
  assert.deepEqual(
    [...received.matchAll(/^event: notification\nid: (\d+)$/gm)].map(([, number]) => Number(number)),
    Array.from({ length: total }, (_, index) => index + 1),
  );
  await eventually('the stalled client to be dropped', async () => hub.streamCount() === 1);
  assert.ok(unreadBytes < 512 * 1024, `${unreadBytes} bytes waited for one client`);
  stalled.destroy();
  reading.destroy();
});

test('a desk page that reads too slowly is disconnected before its unread events fill the memory', async (t) => {
  const { userId, hub, port, responses } = await startHub(t, 'slow-desk', 'openDesk');
  const slow = openSocket(port);
  await eventually('the stream', async () => hub.streamCount() === 1);
  slow.pause();
  const id = 'd9b5a1d4-7c1f-4d3e-9f0a-5b8f4a1c2e3d';
  const [response] = responses;
  let unreadBytes = 0;
  await eventually('the page to be disconnected', async () => {
    for (let n = 0; n < 1_000; n++) {
      hub.sendDeskChange(userId, { event: 'article', id });
      unreadBytes = Math.max(unreadBytes, response?.writableLength ?? 0);
    }
    return hub.streamCount() === 0;
  });
  assert.ok(unreadBytes < 512 * 1024, `${unreadBytes} bytes waited for one client`);
  slow.destroy();
});

test('events during a read are read next, and sent events are not read again', async (t) => {
  let reads = 0;
  let delay: Promise<void> | null = null;
  /** Delays the results of the database, so that the test controls how long a read takes. */
  const delayResults: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1;
      await delay;
      return result;
    },
  };
  const { userId, hub, port } = await startHub(t, 'held', 'open', db.withPlugin(delayResults));
  const socket = openSocket(port);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const arrived = (number: number) =>
    eventually(`number ${number}`, async () => received.includes(`event: notification\nid: ${number}\n`));
  await notify(userId, 1);
  await eventually('the stream', async () => hub.streamCount() === 1);
  hub.sendNewNotifications(userId);
  await arrived(1);

  const { promise, resolve } = Promise.withResolvers<void>();
  delay = promise;
  const before = reads;
  hub.sendNewNotifications(userId);
  await eventually('a reading', async () => reads > before);
  await notify(userId, 2);
  hub.sendNewNotifications(userId, 2);
  resolve();
  await arrived(2);

  const sent = reads;
  const event = { id: 'again', type: 'FEATURED_ROUNDUP', createdAt: new Date().toISOString() } as const;
  hub.sendNewNotifications(userId, 1, event);
  hub.sendNewNotifications(userId, 2, event);
  await notify(userId, 3);
  hub.sendNewNotifications(userId, 3);
  await arrived(3);
  assert.equal(reads, sent + 1);
  socket.destroy();
});

/** Returns the event, which is too long to be announced with its content. */
async function notify(userId: string, n: number): Promise<NotificationEvent> {
  const payload = { postTitle: 'x'.repeat(60_000) };
  const [dedupeKey, now, type] = [`${userId}/${n}`, new Date(), 'FEATURED_ROUNDUP' as const];
  await db.transaction().execute((tx) => addNotification(tx, { userId, type, payload, dedupeKey, now }));
  return describeEvent({ id: dedupeKey, type, payload, createdAt: now });
}

/** Starts a hub behind a separate server. Every request opens a stream of one user from event 0. */
async function startHub(
  t: { after(close: () => void): void },
  username: string,
  opens: 'open' | 'openDesk' = 'open',
  readFrom = db,
) {
  const { id: userId } = await createUser(db, {
    ...{ username, name: 'R', email: `${username}@example.org`, passwordHash: 'x' },
    now: new Date(),
  });
  const { sessionId } = await openSession(db, { userId, userAgent: null, now: new Date() });
  const hub = createEventHub({
    db: readFrom,
    log: pino({ level: 'silent' }),
    limits: { perUser: 10, perAddress: 10 },
    now: () => new Date(),
    stalledMs: 1_000,
  });
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    const holder = { userId, sessionId, token: '', address: '127.0.0.1', checkedAt: performance.now() };
    hub[opens](holder, request, response, { after: 0, headers: {} });
  });
  t.after(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { userId, hub, port, responses };
}

function openSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}
