import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { ownWritesPlugin } from '../../../api/http-cache/own-writes.ts';
import { createResponseCache, type ResponseCache } from '../../../api/http-cache/response-cache.ts';
import {
  type NotificationListener,
  startNotificationListener,
} from '../../../api/notifications/stream/notification-listener.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: TcpProxy;
let cache: ResponseCache;
let listener: NotificationListener;
let app: FastifyInstance;
/** For each confirmation: the reported time of its probe, and when the proxy forwarded it. */
const confirmations: { checkedAt: number; forwardedAt: number }[] = [];
let lost = 0;
before(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  let forwardedAt = 0;
  const stopAnswersAfter = () => {
    forwardedAt = performance.now();
    return false;
  };
  proxy = await startTcpProxy({ port: Number(address.port), stopAnswersAfter });
  address.port = String(proxy.port);
  cache = createResponseCache({ maxBytes: 1_000_000 });
  app = fastify();
  const onCaughtUp = (checkedAt: number) => void confirmations.push({ checkedAt, forwardedAt });
  const onLost = () => {
    lost += 1;
  };
  const audiences = [cache.audience, { channels: {}, onListening: () => undefined, onCaughtUp, onLost }];
  listener = startNotificationListener({ databaseUrl: address.href, audiences, log: app.log });
  await app.register(ownWritesPlugin, { cache, listener });
  app.post('/', async () => 'written');
  await eventually('the listener', async () => cache.isTrusted());
});
after(async () => {
  await app.close();
  await listener.stop();
  await proxy.close();
  await database.drop();
});

const write = () => app.inject({ method: 'POST', url: '/' });

test('a confirmation covers only what was committed before its probe was sent', async () => {
  await eventually('an answer', async () => confirmations.length > 0);
  for (const { checkedAt, forwardedAt } of confirmations) {
    assert.ok(checkedAt <= forwardedAt, `${checkedAt} ms after ${forwardedAt} ms`);
  }
});

test('the cache is used again after it was distrusted, however many requests write without a pause', async () => {
  let isOver = false;
  const writers = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      await write();
      await setImmediate();
    }
  });
  for (let times = 0; times < 5; times++) {
    cache.distrustAll();
    await eventually('trust', async () => cache.isTrusted(), { everyMs: 5 });
  }
  isOver = true;
  await Promise.all(writers);
});

test('while the LISTEN connection does not respond, no writer waits for it and the cache is not used', async () => {
  await eventually('the listener', async () => cache.isTrusted());
  proxy.freezeOpenConnections();
  const startedAt = performance.now();
  for (let times = 0; times < 50; times++) {
    await write();
    // Waits as the fast path does for a reader.
    await cache.pendingAnnouncements;
    assert.equal(cache.isTrusted(), false);
  }
  assert.ok(performance.now() - startedAt < 20_000);
});

test('losing the LISTEN connection is reported at once, and a new connection confirms the cache again', async () => {
  const before = lost;
  proxy.cut();
  await eventually('the word of it', async () => lost > before);
  assert.equal(cache.isTrusted(), false);
  proxy.restore();
  await eventually('the next connection', async () => cache.isTrusted());
});

test('a read after a write waits for the announcements of that write, and not for later ones', async () => {
  let announce: (isComplete: boolean) => void = () => undefined;
  const own = createResponseCache({ maxBytes: 1_000_000 });
  own.delayReadsUntil(new Promise((resolve) => (announce = resolve)));
  const reader = own.pendingAnnouncements;
  own.delayReadsUntil(new Promise(() => undefined));
  announce(true);
  await reader;
  assert.notEqual(own.pendingAnnouncements, null, 'the next reader waits for the later write');
});
