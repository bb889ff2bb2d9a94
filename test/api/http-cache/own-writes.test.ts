import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { createKeptAnswers, type KeptAnswers } from '../../../api/http-cache/cached-responses.ts';
import { type NotificationListener, startNotificationListener } from '../../../api/notifications/stream/notification-listener.ts';
import { ownWritesPlugin } from '../../../api/notifications/stream/own-writes.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: TcpProxy;
let kept: KeptAnswers;
let listener: NotificationListener;
let app: FastifyInstance;
/** Of each answer: when its question counts as asked, and when it was on its way. */
const heard: { askedAt: number; underWayAt: number }[] = [];
let lost = 0;
before(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  let underWayAt = 0;
  const stopAnswersAfter = () => {
    underWayAt = performance.now();
    return false;
  };
  proxy = await startTcpProxy({ port: Number(address.port), stopAnswersAfter });
  address.port = String(proxy.port);
  kept = createKeptAnswers({ maxBytes: 1_000_000 });
  app = fastify();
  const onHeard = (askedAt: number) => void heard.push({ askedAt, underWayAt });
  const onLost = () => {
    lost += 1;
  };
  const audiences = [kept.audience, { channels: {}, onListening: () => undefined, onHeard, onLost }];
  listener = startNotificationListener({ databaseUrl: address.href, audiences, log: app.log });
  await app.register(ownWritesPlugin, { kept, listener });
  app.post('/', async () => 'written');
  await eventually('the listener', async () => kept.isTrusted());
});
after(async () => {
  await app.close();
  await listener.stop();
  await proxy.close();
  await database.drop();
});

const write = () => app.inject({ method: 'POST', url: '/' });

test('what was committed after the question was asked does not count as heard', async () => {
  await eventually('an answer', async () => heard.length > 0);
  for (const { askedAt, underWayAt } of heard) assert.ok(askedAt <= underWayAt, `${askedAt} ms after ${underWayAt} ms`);
});

test('however many write without a pause, what is kept is trusted again after a doubt', async () => {
  let isOver = false;
  const writers = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      await write();
      await setImmediate();
    }
  });
  for (let times = 0; times < 5; times++) {
    kept.doubt();
    await eventually('trust', async () => kept.isTrusted(), { everyMs: 5 });
  }
  isOver = true;
  await Promise.all(writers);
});

test('while the LISTEN connection does not answer no writer waits for it, and nobody is shown what is kept', async () => {
  await eventually('the listener', async () => kept.isTrusted());
  proxy.freezeOpenConnections();
  const begun = performance.now();
  for (let times = 0; times < 50; times++) {
    await write();
    // As the front door does for a reader.
    await kept.settling;
    assert.equal(kept.isTrusted(), false);
  }
  assert.ok(performance.now() - begun < 20_000);
});

test('who hears nothing any more is told at once, and hears again by a new connection', async () => {
  const before = lost;
  proxy.cut();
  await eventually('the word of it', async () => lost > before);
  assert.equal(kept.isTrusted(), false);
  proxy.restore();
  await eventually('the next connection', async () => kept.isTrusted());
});

test('who asks after the answer to a write waits until its announcements have come, however many write meanwhile', async () => {
  let hear: (isHeard: boolean) => void = () => undefined;
  const own = createKeptAnswers({ maxBytes: 1_000_000 });
  own.settle(new Promise((resolve) => (hear = resolve)));
  const reader = own.settling;
  own.settle(new Promise(() => undefined));
  hear(true);
  await reader;
  assert.notEqual(own.settling, null, 'the next reader waits for the later write');
});
