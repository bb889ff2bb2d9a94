/** A single event stream: its head, its events, and what happens to clients that do not read. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import {
  beginStream,
  type EventStream,
  endStream,
  isFull,
  isWritable,
  waitUntilRead,
  writeDeskEvent,
  writeEvent,
} from '../../../api/notifications/stream/event-stream.ts';

const OWNER = { kind: 'notifications', userId: 'u1', sessionId: 's1', address: '192.0.2.1', client: null } as const;
const MAX_UNREAD_BYTES = 256 * 1024;

/** A response that collects what is written, with a buffer of any length. */
class TestResponse extends EventEmitter {
  head: unknown[] = [];
  written = '';
  writableLength = 0;
  destroyed = false;
  writableEnded = false;

  writeHead(...head: unknown[]) {
    this.head = head;
  }
  write(text: string) {
    this.written += text;
  }
  end() {
    this.writableEnded = true;
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

function begin(opening: { after?: number; headers?: object } = {}) {
  const response = new TestResponse();
  const socket: Record<string, unknown> = {};
  for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive']) {
    socket[name] = (value: unknown) => {
      socket[`${name} was called with`] = value;
      return socket;
    };
  }
  const request = { socket, url: '/?token=x', headers: { cookie: 'x' }, rawHeaders: ['cookie', 'x'] };
  const stream = beginStream(OWNER, request as never, response as never, { headers: {}, ...opening } as never);
  return { response, request, socket, stream };
}

test('a stream begins with its headers, its position and a random time for reconnecting', (t) => {
  const random = t.mock.method(Math, 'random', () => 0);
  const { response, request, socket, stream } = begin({ after: 7, headers: { vary: 'Origin', connection: 'close' } });
  assert.deepEqual(response.head, [
    200,
    {
      ...{ vary: 'Origin', 'content-type': 'text/event-stream;charset=UTF-8', 'cache-control': 'no-cache' },
      ...{ connection: 'keep-alive', 'x-accel-buffering': 'no' },
    },
  ]);
  assert.equal(response.written, 'id: 7\nretry: 1000\n\n');
  assert.deepEqual([request.url, request.headers, request.rawHeaders], ['', {}, []]);
  assert.partialDeepStrictEqual(socket, {
    ...{ 'setTimeout was called with': 0, 'setNoDelay was called with': true, 'setKeepAlive was called with': true },
  });
  assert.partialDeepStrictEqual(stream, { ...OWNER, sent: 7, isReading: false, shouldReadAgain: false });
  random.mock.mockImplementation(() => 0.75);
  const second = begin();
  assert.equal(second.response.written, 'retry: 4000\n\n');
  assert.equal(second.stream.sent, 0);
  for (const one of [response, second.response]) one.destroy();
});

test('events are written with their number and data; a notification moves the position', () => {
  const { response, stream } = begin({ after: 0 });
  response.written = '';
  const event = { id: 'n1', type: 'NEW_FOLLOWER', actorName: 'Bo\nb' } as never;
  writeEvent(stream, 8, event);
  assert.equal(
    response.written,
    'event: notification\nid: 8\ndata: {"id":"n1","type":"NEW_FOLLOWER","actorName":"Bo\\nb"}\n\n',
  );
  assert.equal(stream.sent, 8);
  response.written = '';
  writeDeskEvent(stream, { event: 'article', id: 'a1' });
  writeDeskEvent(stream, { event: 'reload' });
  writeDeskEvent(stream, { event: 'evicted' });
  assert.equal(
    response.written,
    'event: article\ndata: {"id":"a1"}\n\nevent: reload\ndata: {}\n\nevent: evicted\ndata: {}\n\n',
  );
  assert.deepEqual([stream.sent, response.destroyed], [8, false]);
  response.destroy();
});

test('nothing is written to a stream that has ended or is destroyed', () => {
  for (const name of ['writableEnded', 'destroyed'] as const) {
    const { response, stream } = begin();
    response.written = '';
    assert.equal(isWritable(stream), true);
    response[name] = true;
    assert.equal(isWritable(stream), false);
    writeEvent(stream, 8, {} as never);
    assert.equal(response.written, '');
    response.emit('close');
  }
});

test('a desk stream with 256 KiB of unread data is disconnected', () => {
  const { response, stream } = begin();
  response.writableLength = MAX_UNREAD_BYTES - 1;
  writeDeskEvent(stream, { event: 'reload' });
  assert.deepEqual([isFull(stream), response.destroyed], [false, false]);
  response.writableLength = MAX_UNREAD_BYTES;
  writeDeskEvent(stream, { event: 'reload' });
  assert.deepEqual([isFull(stream), response.destroyed], [true, true]);
});

/** Whether the promise resolves within the next turns of the event loop. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<false>((resolve) => setTimeout(resolve, 20, false));
  return Promise.race([promise.then(() => true), later]);
}

test('a full stream waits until its client has read, and is disconnected if it does not in time', async () => {
  const { response, stream } = begin();
  assert.equal(await isSettled(waitUntilRead(stream, 10_000)), true);
  response.writableLength = MAX_UNREAD_BYTES;
  const waiting = waitUntilRead(stream, 10_000);
  assert.equal(await isSettled(waiting), false);
  response.emit('drain');
  assert.equal(await isSettled(waiting), true);
  assert.equal(response.destroyed, false);
  await waitUntilRead(stream, 30);
  assert.equal(response.destroyed, true);
});

test('an ended stream is disconnected if its client does not read the rest in time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { response, stream } = begin();
  endStream(stream, 1_000);
  assert.equal(response.writableEnded, true);
  t.mock.timers.tick(999);
  assert.equal(response.destroyed, false);
  t.mock.timers.tick(1);
  assert.equal(response.destroyed, true);
  const read = begin();
  endStream(read.stream as EventStream, 1_000);
  read.response.emit('close');
  t.mock.timers.tick(1_000);
  assert.equal(read.response.destroyed, false);
});
