/** Event streams across restarts of the API: clients resume, also before their first event. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addNotification } from '../../../store/notifications/add.ts';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { openStream, type TestStream } from '../../support/api/event-stream.ts';
import { eventually } from '../../support/eventually.ts';

const STREAMS = 300;
const AUTHORS = 3;

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

let notified = 0;
function notify(author: TestAuthor, postTitle: string): Promise<boolean> {
  return api.db.transaction().execute((tx) =>
    addNotification(tx, {
      userId: author.id,
      type: 'CROSS_POST_SUCCESS',
      payload: { platform: 'BLOGSITE_A', postTitle, sharedUrl: 'https://blog.example/1' },
      dedupeKey: `restart:${++notified}`,
      now: new Date(),
    }),
  );
}

/** Starts an instance with the base URL that clients use before and after a restart. */
function startInstance(): Promise<TestApi> {
  const { databaseUrl, home, url } = api;
  return startTestApi({
    databaseUrl,
    home,
    env: { BASE_URL: url, STREAMS_PER_USER: '1000', STREAMS_PER_ADDRESS: '1000' },
  });
}

/** Opens a stream with the last id of `from`, if any, as an EventSource does. */
async function open(instance: TestApi, token: string, from: TestStream | null = null): Promise<TestStream> {
  const id = from?.lastEventId();
  const stream = await openStream(instance.url, token, id === undefined ? {} : { 'last-event-id': id });
  assert.equal(stream.status, 200);
  return stream;
}

test('after an API restart hundreds of clients reconnect spread out and receive each event once (F19)', async (t) => {
  const authors = await Promise.all(Array.from({ length: AUTHORS }, (_, n) => api.createAuthor(`restart-${n}`)));
  const first = await startInstance();
  t.after(() => first.close());
  const clients = await Promise.all(
    Array.from({ length: STREAMS }, async (_, n) => {
      const author = authors[n % AUTHORS] as TestAuthor;
      const token = await first.sessions.issue('courant:stream', author.id);
      return { author, token, before: await open(first, token) };
    }),
  );
  // Streams of the last author receive no event before they are cut.
  const [busy, calm, silent] = authors as [TestAuthor, TestAuthor, TestAuthor];
  for (const author of [busy, busy, calm]) await notify(author, 'Before');
  for (const { author, before } of clients) await before.count(author === busy ? 2 : author === calm ? 1 : 0);

  await first.close();
  await Promise.all(clients.map(({ before }) => before.ended));
  for (const author of [busy, calm, silent]) await notify(author, 'While away');

  const pauses = clients.map(({ before }) => Number(/^retry: ?(\d+)$/m.exec(before.raw())?.[1]));
  assert.ok(pauses.every((ms) => ms >= 1_000 && ms <= 5_000));
  assert.ok(new Set(pauses).size > STREAMS / 4, 'spread out');
  assert.ok(Math.max(...pauses) - Math.min(...pauses) > 2_500, 'spread out');

  const second = await startInstance();
  t.after(() => second.close());
  const returned = await Promise.all(
    clients.map(async (client) => ({ ...client, after: await open(second, client.token, client.before) })),
  );
  for (const author of [busy, calm, silent]) await notify(author, 'After');
  for (const { after } of returned) await after.count(2);
  for (const { author, before, after } of returned) {
    const ids = [...before.events, ...after.events].map(({ id }) => Number(id));
    const total = author === busy ? 4 : author === calm ? 3 : 2;
    assert.deepEqual(
      ids,
      Array.from({ length: total }, (_, n) => n + 1),
    );
    after.close();
  }
});

test('a new EventSource with a new token resumes with lastEventId in its URL (F19)', async () => {
  const author = await api.createAuthor('restart-anew');
  const token = await api.sessions.issue('courant:stream', author.id);
  const stream = await openStream(api.url, token);
  await eventually('the stream to begin', async () => stream.lastEventId() === '0');
  stream.close();
  await notify(author, 'While away');
  const again = await openStream(api.url, token, {}, { lastEventId: '0' });
  await again.count(1);
  assert.equal(again.events[0]?.data.postTitle, 'While away');
  again.close();
  // The header is newer than the parameter of the repeated URL.
  const reconnected = await openStream(api.url, token, { 'last-event-id': '1' }, { lastEventId: '0' });
  await notify(author, 'Later');
  await reconnected.count(1);
  assert.deepEqual(
    reconnected.events.map(({ data }) => data.postTitle),
    ['Later'],
  );
  reconnected.close();
});
