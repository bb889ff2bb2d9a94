/** Streams that end while their client does not read or while they are being opened. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createEventHub } from '../../../api/notifications/stream/event-hub.ts';
import type { Database } from '../../../store/db/database.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('when the session of a stalled client ends, nothing more is written and the client is disconnected', async (t) => {
  const { userId, sessionId } = await signIn('stalled');
  const hub = await startHub(t, { stalledMs: 2_000 });
  const stalled = await hub.open({ userId, sessionId });
  stalled.pause();
  const other = await hub.open({ userId, sessionId: (await openSessionOf(userId)).sessionId });
  let count = 0;
  const notifyOther = async () => {
    await notify(userId, ++count);
    hub.sendNewNotifications(userId);
    await eventually(`number ${count}`, async () => new RegExp(`^id: ?${count}$`, 'm').test(other.received()));
  };
  // Fills the socket buffers without reaching the limit that disconnects the stream.
  while (stalled.unread() === 0) await notifyOther();
  hub.endSession({ userId, sessionId });
  await notifyOther();
  await notifyOther();
  assert.equal(hub.streamCount(), 1);
  await eventually('its connection to be closed', async () => hub.connectionCount() === 1);
});

test('a stream ends when its session expires, which is not announced', async (t) => {
  const { userId, sessionId } = await signIn('expiring');
  const hub = await startHub(t, { sessionCheckIntervalMs: 100 });
  await hub.open({ userId, sessionId });
  await hub.open({ userId, sessionId: (await openSessionOf(userId)).sessionId });
  await db.updateTable('sessions').set({ expiresAt: new Date() }).where('id', '=', sessionId).execute();
  await eventually('the stream to end', async () => hub.streamCount() === 1);
});

test('notifications missed during a disconnection are not sent to sessions that ended meanwhile', async (t) => {
  const { userId, sessionId } = await signIn('unheard');
  const hub = await startHub(t);
  const ended = await hub.open({ userId, sessionId });
  const open = await hub.open({ userId, sessionId: (await openSessionOf(userId)).sessionId });
  for (const stream of [ended, open]) await eventually('it to begin', async () => /^id: 0$/m.test(stream.received()));
  await db.updateTable('sessions').set({ endedAt: new Date() }).where('id', '=', sessionId).execute();
  await notify(userId, 1);
  await db.transaction().execute(async (tx) => {
    // Delays the query for ended sessions.
    await sql`lock table sessions`.execute(tx);
    hub.catchUpAll();
    await waitForLock(db);
    await setTimeout(300);
  });
  await eventually('the event', async () => /^id: 1$/m.test(open.received()));
  await eventually('the stream to end', async () => hub.streamCount() === 1);
  assert.doesNotMatch(ended.received(), /^id: 1$/m);
});

test('a stream that is being opened during a suspension does not open; a later one does', async (t) => {
  const session = await signIn('suspended');
  const hub = await startHub(t);
  const checkedAt = performance.now();
  hub.end(session.userId);
  const refused = hub.connect(session, checkedAt);
  await eventually('an answer', async () => /\r\n\r\n/.test(refused.received()));
  assert.equal(hub.streamCount(), 0);
  assert.doesNotMatch(refused.received(), /retry:/);
  await hub.open(session);
});

async function openSessionOf(userId: string) {
  return openSession(db, { userId, userAgent: null, now: new Date() });
}

async function signIn(username: string) {
  const { id: userId } = await createUser(db, {
    ...{ username, name: username, email: `${username}@example.org`, passwordHash: 'x' },
    now: new Date(),
  });
  return { userId, ...(await openSessionOf(userId)) };
}

function notify(userId: string, n: number) {
  const payload = { postTitle: 'x'.repeat(60_000) };
  return db
    .transaction()
    .execute((tx) =>
      addNotification(tx, { userId, type: 'FEATURED_ROUNDUP', payload, dedupeKey: `${userId}/${n}`, now: new Date() }),
    );
}

/** Starts a hub behind a separate server with sockets as clients. */
async function startHub(
  t: { after(close: () => void): void },
  options: { stalledMs?: number; sessionCheckIntervalMs?: number } = {},
) {
  const limits = { perUser: 10, perAddress: 100 };
  const hub = createEventHub({ db, log: pino({ level: 'silent' }), limits, now: () => new Date(), ...options });
  let opening: { userId: string; sessionId: string; checkedAt: number };
  let opened: ServerResponse;
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    opened = response;
    hub.open({ ...opening, token: '', address: '127.0.0.1' }, request, response, { after: 0, headers: {} });
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  t.after(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  function connectTo({ userId, sessionId }: { userId: string; sessionId: string }, checkedAt: number) {
    opening = { userId, sessionId, checkedAt };
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return Object.assign(socket, { received: () => received });
  }
  return {
    ...hub,
    connect: connectTo,
    connectionCount: () => connections.size,
    async open(session: { userId: string; sessionId: string }) {
      const before = hub.streamCount();
      const socket = connectTo(session, performance.now());
      await eventually('a stream', async () => hub.streamCount() === before + 1);
      const response = opened;
      return Object.assign(socket, { unread: () => response.writableLength });
    },
  };
}
