/** Pings of idle streams, and the data that an open stream retains. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { beginStream } from '../../../api/notifications/stream/event-stream.ts';
import { startPings } from '../../../api/notifications/stream/stream-pings.ts';
import { eventually } from '../../support/eventually.ts';

const STREAMS = 50;

test('every open stream is pinged repeatedly, and a removed one is not', async (t) => {
  const pings = startPings(200);
  const pinged: string[] = [];
  const streams = new Map<string, ReturnType<typeof beginStream>>();
  const server = createServer((request, response) => {
    const name = request.url ?? '';
    const stream = beginStream({ userId: name, sessionId: name }, request, response, { after: 0, headers: {} });
    streams.set(name, stream);
    pings.add(stream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    pings.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  for (let index = 0; index < STREAMS; index++) {
    const [answer] = (await once(get({ port, path: `/${index}` }), 'response')) as [IncomingMessage];
    answer.on('error', () => undefined).on('data', (chunk) => String(chunk) === ':\n' && pinged.push(`/${index}`));
  }
  const timesOf = (name: string) => pinged.filter((other) => other === name).length;
  await eventually('two pings to each', async () => [...streams.keys()].every((name) => timesOf(name) >= 2));

  const removed = streams.get('/7');
  assert.ok(removed);
  pings.remove(removed);
  const [before, others] = [timesOf('/7'), timesOf('/8')];
  await eventually('more pings to another', async () => timesOf('/8') >= others + 3);
  // A ping that was already sent can still arrive.
  assert.ok(timesOf('/7') <= before + 1, `${timesOf('/7') - before} pings to a stream that has gone`);
});

test('an open stream retains neither the request with its token nor the listeners of the framework', async (t) => {
  let opened: { request: IncomingMessage; response: ServerResponse } | undefined;
  const ofFramework = () => undefined;
  const server = createServer((request, response) => {
    opened = { request, response };
    response.on('finish', ofFramework).on('error', ofFramework);
    beginStream({ userId: '', sessionId: '' }, request, response, { after: 0, headers: { vary: 'Origin' } });
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
