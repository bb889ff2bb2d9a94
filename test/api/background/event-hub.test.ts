import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createEventHub } from '../../../api/background/event-hub.ts';
import type { Database } from '../../../store/db/database.ts';
import { addNotification } from '../../../store/notifications/add.ts';
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

test('a client that stops reading is dropped at a limit, and the others get everything (F18)', async (t) => {
  const user = await createUser(db, {
    username: 'reader',
    name: 'R',
    email: 'r@example.org',
    passwordHash: 'x',
    now: new Date(),
  });
  const { sessionId } = await openSession(db, { userId: user.id, userAgent: null, now: new Date() });
  const hub = createEventHub({
    db,
    log: pino({ level: 'silent' }),
    limits: { perUser: 10, perAddress: 10 },
    now: () => new Date(),
    stalledMs: 1_000,
  });
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    const holder = { userId: user.id, sessionId, token: '', address: '127.0.0.1', askedAt: performance.now() };
    hub.open(holder, request, response, 0);
  });
  t.after(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

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
  let waiting = 0;
  for (let n = 1; n <= total; n++) {
    const payload = { postTitle: 'x'.repeat(60_000) };
    await db.transaction().execute((tx) =>
      addNotification(tx, {
        userId: user.id,
        type: 'FEATURED_ROUNDUP',
        payload,
        dedupeKey: `n${n}`,
        now: new Date(),
      }),
    );
    hub.wake(user.id);
    waiting = Math.max(waiting, ...responses.map((response) => response.writableLength));
  }
  await eventually(
    'everything to arrive',
    async () => received.includes(`id:${total}\n`) || received.includes(`id: ${total}\n`),
  );
  await eventually('the stalled client to be dropped', async () => hub.streamCount() === 1);
  assert.ok(waiting < 512 * 1024, `${waiting} bytes waited for one client`);
  stalled.destroy();
  reading.destroy();
});

function openSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}
