import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { createKeptAnswers, type KeptAnswers } from '../../../api/answers/kept-answers.ts';
import { type NotificationListener, startNotificationListener } from '../../../api/background/notification-listener.ts';
import { ownWritesPlugin } from '../../../api/plugins/own-writes.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: TcpProxy;
let kept: KeptAnswers;
let listener: NotificationListener;
let app: FastifyInstance;
before(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  proxy = await startTcpProxy({ port: Number(address.port) });
  address.port = String(proxy.port);
  kept = createKeptAnswers({ maxBytes: 1_000_000 });
  app = fastify();
  listener = startNotificationListener({ databaseUrl: address.href, audiences: [kept.audience], log: app.log });
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

test('however many write without a pause, what is kept is trusted again after a doubt', async () => {
  let isOver = false;
  const writers = Array.from({ length: 200 }, async () => {
    while (!isOver) {
      await write();
      await setImmediate();
    }
  });
  let trusted = 0;
  for (let times = 0; times < 20; times++) {
    kept.doubt();
    await sleep(100);
    if (kept.isTrusted()) trusted += 1;
  }
  isOver = true;
  await Promise.all(writers);
  assert.ok(trusted >= 15, `after ${trusted} of 20 doubts`);
});

test('while the LISTEN connection does not answer, only the first to write wait for it, and nobody is shown what is kept', async () => {
  await eventually('the listener', async () => kept.isTrusted());
  proxy.freezeOpenConnections();
  const begun = performance.now();
  for (let times = 0; times < 50; times++) {
    await write();
    assert.equal(kept.isTrusted(), false);
  }
  assert.ok(performance.now() - begun < 4_000);
});
