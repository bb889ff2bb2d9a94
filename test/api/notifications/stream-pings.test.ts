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

test('an open stream retains neither the request with its token nor the listeners of the framework', async (t) => {
  let opened: { request: IncomingMessage; response: ServerResponse } | undefined;
  const ofFramework = () => undefined;
  const server = createServer((request, response) => {
    opened = { request, response };
    response.on('finish', ofFramework).on('error', ofFramework);
    beginStream(OWNER, request, response, { after: 0, headers: { vary: 'Origin' } });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const headers = { cookie: 'courant_session=secret' };
  const [answer] = (await once(get({ port, path: '/?token=secret', headers }), 'response')) as [IncomingMessage];
  assert.equal(answer.headers.vary, 'Origin');
  assert.ok(opened);
  const { request, response } = opened;
  assert.deepEqual([request.url, request.headers, request.rawHeaders], ['', {}, []]);
  assert.ok(!response.listeners('finish').includes(ofFramework) && !response.listeners('error').includes(ofFramework));
  // An error of the response ends the stream, not the process.
  response.emit('error', new Error('written after its end'));
  assert.equal(response.destroyed, true);
});
