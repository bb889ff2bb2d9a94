/** Pings of idle streams, and the data that an open stream retains. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { beginStream } from '../../../api/notifications/stream/event-stream.ts';
import { eventually } from '../../support/eventually.ts';

const OWNER = { kind: 'notifications', userId: '', sessionId: '', address: '', client: null } as const;

test('an open stream is pinged every 20 s, and a closed one is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    beginStream(OWNER, request, response, { after: 0, headers: {} });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const pings = [0, 0];
  const clients = [];
  for (const index of pings.keys()) {
    const [answer] = (await once(get({ port }), 'response')) as [IncomingMessage];
    answer
      .on('error', () => undefined)
      .on('data', (chunk) => {
        if (String(chunk) === ':\n') pings[index] = (pings[index] ?? 0) + 1;
      });
    clients.push(answer);
  }
  t.mock.timers.tick(20_000);
  await eventually('a ping to each', async () => pings.every((count) => count === 1));
  clients[0]?.destroy();
  await eventually('the first to be closed', async () => responses[0]?.destroyed === true);
  t.mock.timers.tick(20_000);
  await eventually('another ping', async () => pings[1] === 2);
  assert.deepEqual(pings, [1, 2]);
});

test('an error of the response ends the stream, not the process', async (t) => {
  let opened: ServerResponse | undefined;
  const server = createServer((request, response) => {
    opened = response;
    beginStream(OWNER, request, response, { after: 0, headers: { vary: 'Origin' } });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ port, path: '/' }), 'response')) as [IncomingMessage];
  assert.equal(answer.headers.vary, 'Origin');
  assert.ok(opened);
  opened.emit('error', new Error('written after its end'));
  assert.equal(opened.destroyed, true);
});
