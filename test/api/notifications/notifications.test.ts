/** The notification stream over HTTP: events, replay, tokens and instances. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadKeyRing } from '../../../api/auth/keys/key-ring.ts';
import { createSessions } from '../../../api/auth/sessions.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { openStream } from '../../support/api/event-stream.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

let notified = 0;
function notify(author: TestAuthor, postTitle = 'A post', dedupeKey = `test:${++notified}`): Promise<boolean> {
  return api.db.transaction().execute((tx) =>
    addNotification(tx, {
      userId: author.id,
      type: 'CROSS_POST_SUCCESS',
      payload: { platform: 'BLOGSITE_A', postTitle, sharedUrl: 'https://blog.example/1' },
      dedupeKey,
      now: new Date(),
    }),
  );
}

async function streamToken(author: TestAuthor): Promise<string> {
  const session = await api.sessions.issue('courant:session', author.id);
  const response = await fetch(`${api.url}/notifications/sse-token`, {
    headers: { authorization: `Bearer ${session}` },
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { token: string }).token;
}

test('a message has event: notification, a growing id, and the notification as JSON data', async () => {
  const author = await api.createAuthor('stream-shape');
  const stream = await openStream(api.url, await streamToken(author));
  await notify(author, 'My post');
  await notify(author);
  const [first, second] = await stream.count(2);
  assert.equal(first?.event, 'notification');
  assert.deepEqual([first?.id, second?.id], ['1', '2']);
  const { id, createdAt, ...data } = (first?.data ?? {}) as Record<string, string>;
  assert.match(id ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(new Date(createdAt ?? '').toISOString(), createdAt);
  assert.deepEqual(data, {
    type: 'CROSS_POST_SUCCESS',
    platform: 'BLOGSITE_A',
    postTitle: 'My post',
    sharedUrl: 'https://blog.example/1',
  });
  assert.match(stream.raw(), /^retry: \d+$/m);
  stream.close();
});

test('a stream contains only notifications of its author', async () => {
  const [mine, theirs] = [await api.createAuthor('stream-mine'), await api.createAuthor('stream-theirs')];
  const stream = await openStream(api.url, await streamToken(mine));
  await notify(theirs, 'Not for you');
  await notify(mine, 'For you');
  await stream.count(1);
  assert.deepEqual(
    stream.events.map((event) => event.data.postTitle),
    ['For you'],
  );
  stream.close();
});

test('Last-Event-ID replays missed notifications from the database, once and in order', async () => {
  const author = await api.createAuthor('stream-replay');
  for (let n = 1; n <= 5; n++) await notify(author, `Post ${n}`);
  const stream = await openStream(api.url, await streamToken(author), { 'last-event-id': '2' });
  await notify(author, 'Post 6');
  await stream.count(4);
  assert.deepEqual(
    stream.events.map((event) => event.id),
    ['3', '4', '5', '6'],
  );
  stream.close();
});

test('a stream with an id that was never sent continues with the next notification', async () => {
  const author = await api.createAuthor('stream-future');
  await notify(author, 'Before');
  const stream = await openStream(api.url, await streamToken(author), { 'last-event-id': '900' });
  await eventually('the stream to open', async () => stream.lastEventId() === '1');
  await notify(author, 'After');
  const [event] = await stream.count(1);
  assert.deepEqual([event?.id, event?.data.postTitle], ['2', 'After']);
  stream.close();
});

test('a replay of many notifications is complete', async () => {
  const author = await api.createAuthor('stream-many');
  for (let n = 1; n <= 450; n++) await notify(author, `Post ${n}`);
  const stream = await openStream(api.url, await streamToken(author), { 'last-event-id': '0' });
  await stream.count(450);
  assert.deepEqual(
    stream.events.map((event) => Number(event.id)),
    Array.from({ length: 450 }, (_, n) => n + 1),
  );
  stream.close();
});

test('a repeated dedupe key adds no second notification', async () => {
  const author = await api.createAuthor('stream-dedupe');
  assert.equal(await notify(author, 'Once', 'outcome-1'), true);
  assert.equal(await notify(author, 'Once', 'outcome-1'), false);
});

test('concurrent notifications reach every stream of their author without a gap', async () => {
  const author = await api.createAuthor('stream-burst');
  const token = await streamToken(author);
  const streams = await Promise.all([1, 2, 3].map(() => openStream(api.url, token)));
  await Promise.all(Array.from({ length: 60 }, () => notify(author)));
  for (const stream of streams) {
    await stream.count(60);
    assert.deepEqual(
      stream.events.map((event) => Number(event.id)),
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
    stream.close();
  }
});

test('another API instance over the same database serves the same stream', async () => {
  const second = await startTestApi({
    databaseUrl: api.databaseUrl,
    home: api.home,
    env: { BASE_URL: new URL(api.url).href },
  });
  const author = await api.createAuthor('stream-second');
  const token = await second.sessions.issue('courant:stream', author.id);
  const stream = await openStream(second.url, token);
  await notify(author);
  await stream.count(1);
  stream.close();
  await second.close();
});

test('a title with line breaks and a bare carriage return is one event (A20)', async () => {
  const author = await api.createAuthor('stream-breaks');
  const stream = await openStream(api.url, await streamToken(author));
  await notify(author, 'a\r\nb\rc\nevent: forged\n\ndata: {}');
  await notify(author, 'next');
  await stream.count(2);
  assert.equal(stream.events.length, 2);
  assert.equal(stream.events[0]?.data.postTitle, 'a\r\nb\rc\nevent: forged\n\ndata: {}');
  stream.close();
});

test('a cut LISTEN connection is reopened, and missed notifications arrive (F20)', async () => {
  const author = await api.createAuthor('stream-cut');
  const stream = await openStream(api.url, await streamToken(author));
  await api.db.executeQuery(
    (await import('kysely')).sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%' and pid <> pg_backend_pid()`.compile(api.db),
  );
  await notify(author, 'While away');
  await stream.count(1);
  assert.equal(stream.events[0]?.data.postTitle, 'While away');
  stream.close();
});

test('a missing, forged or foreign stream token is 401, and 204 for a client that reconnects', async () => {
  const author = await api.createAuthor('stream-tokens');
  const session = await api.sessions.issue('courant:session', author.id);
  const [header, payload] = session.split('.');
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  for (const token of ['', 'nonsense', session, none, `${header}.${payload}.AAAA`, author.token]) {
    const response = await fetch(`${api.url}/notifications/stream?token=${token}`);
    assert.equal(response.status, 401, token.slice(0, 20));
    const again = await fetch(`${api.url}/notifications/stream?token=${token}`, { headers: { 'last-event-id': '4' } });
    assert.equal(again.status, 204);
  }
});

test('a stream token is valid for five minutes, with a bounded leeway (F14)', async () => {
  const key = await loadKeyRing({ home: api.home, key: undefined });
  const owner = { userId: api.author.id, sessionId: 'a session' };
  const at = (seconds: number) =>
    createSessions(key, { issuer: 'x', now: () => new Date(1_800_000_000_000 + seconds * 1000) });
  const { token } = await at(0).issue('courant:stream', owner);
  for (const seconds of [0, 299, 305]) assert.deepEqual(await at(seconds).verify('courant:stream', token), owner);
  assert.equal(await at(330).verify('courant:stream', token), null);
});

test('neither a developer token nor a stream token gets a stream token (A17, A19)', async () => {
  const author = await api.createAuthor('token-kinds');
  const stream = await api.sessions.issue('courant:stream', author.id);
  for (const path of ['/notifications/sse-token', '/notifications/sse-token/']) {
    for (const token of [author.token, stream, 'x']) {
      const response = await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 401);
    }
    assert.equal((await fetch(`${api.url}${path}`)).status, 401);
  }
});

test('a session cookie gets no stream token, not even for a page of this site (A50)', async () => {
  const author = await api.createAuthor('cookie-author');
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', author.id)}`;
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  assert.equal((await fetch(`${api.url}/notifications/sse-token`, { headers })).status, 401);
});

test('streams end when the API closes, so that clients reconnect elsewhere (F19)', async () => {
  const second = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home });
  const author = await api.createAuthor('stream-closing');
  const stream = await openStream(second.url, await second.sessions.issue('courant:stream', author.id));
  await eventually('the stream to open', async () => stream.raw().includes('retry:'));
  await second.close();
  await stream.ended;
});
