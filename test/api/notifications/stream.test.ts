/**
 * `/desk/stream` announces every commit that changes the desk of an author, only to that author.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { confirmSubscription, findOrAddSubscription } from '../../../store/newsletter/subscribe.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { react } from '../../../store/reactions/react.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { addPageView } from '../../support/add-page-view.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { type DeskVisitor, visitDesk } from '../../support/api/desk.ts';
import { openDeskStream, type TestStream } from '../../support/api/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { waitUntilAllDerived } from '../articles/support/lists.ts';
import { addConnection, addDelivery, failed, unknown } from '../deliveries/support/rows.ts';

let api: TestApi;
let desk: DeskVisitor;
let stream: TestStream;
let others: TestStream;
let reader: TestAuthor;
before(async () => {
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  desk = await visitDesk(api, api.author.id);
  reader = await api.createAuthor('reader');
  const stranger = await api.createAuthor('stranger');
  await publish('Somebody else’s', {}, stranger);
  await waitUntilAllDerived(api);
  stream = await openDeskStream(api.url, desk.cookie);
  others = await openDeskStream(api.url, (await visitDesk(api, stranger.id)).cookie);
});
after(async () => {
  stream?.close();
  others?.close();
  await api?.close();
});

async function publish(title: string, more: Record<string, unknown> = {}, author = api.author): Promise<string> {
  const { body } = await api.publish({ content: markdown({ title, ...more }) }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

/** Resolves once all earlier commits are announced: its own notification arrives after them. */
async function drain(userId: string, from: TestStream): Promise<void> {
  const id = randomUUID();
  await sql`select pg_notify('courant_desk', ${`${userId} article ${id}`})`.execute(api.db);
  await eventually('the marker', async () => from.events.some(({ data }) => data.id === id), { everyMs: 5 });
}

/** Returns the events that `act` caused for the author, such as `article <id>` and `reload`. */
async function collect(act: () => Promise<unknown>): Promise<{ result: unknown; events: Set<string> }> {
  await drain(api.author.id, stream);
  const from = stream.events.length;
  const result = await act();
  await drain(api.author.id, stream);
  const events = stream.events.slice(from, -1).map(({ event, data }) => [event, data.id].filter(Boolean).join(' '));
  return { result, events: new Set(events) };
}

function notifyAuthor(): Promise<boolean> {
  const notification = {
    userId: api.author.id,
    type: 'NEW_FOLLOWER',
    payload: { actorName: 'Bo', postTitle: '' },
  } as const;
  return api.db
    .transaction()
    .execute((tx) => addNotification(tx, { ...notification, dedupeKey: randomUUID(), now: new Date() }));
}

async function findNotification(): Promise<string> {
  const row = await api.db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', api.author.id)
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}

test('publishes, drafts and all article commands are announced with the id of the article', async () => {
  const commands: [string, () => Promise<unknown>][] = [];
  const { result, events } = await collect(() => publish('Announced'));
  const id = String(result);
  assert.ok(events.has(`article ${id}`), [...events].join());
  const post =
    (command: string, fields = {}) =>
    () =>
      desk.post(`/desk/articles/${id}/${command}`, fields);
  commands.push(
    ['an update', () => publish('Announced', { tags: ['new'] })],
    ['unpublish', post('unpublish')],
    ['schedule', post('schedule', { at: '2090-01-01T10:00', zone: 'Asia/Tokyo' })],
    ['cancel', post('cancel')],
    ['publish', post('publish')],
    ['a draft', () => publish('Announced', { published: false })],
    ['delete', post('delete')],
  );
  for (const [name, act] of commands) {
    const { events } = await collect(act);
    assert.ok(events.has(`article ${id}`), `${name}: ${[...events].join()}`);
  }
});

test('delivery states, attempts and commands are announced with the id of the delivery', async () => {
  await addConnection(api.db, api.author.id, 'blogsite_a');
  const id = await publish('Delivered');
  const { result, events } = await collect(() => addDelivery(api.db, id, 'blogsite_a', unknown('No answer.')));
  const delivery = `delivery ${result}`;
  assert.ok(events.has(delivery), [...events].join());
  const soon = new Date(Date.now() + 60_000);
  const outcomes: [string, Parameters<typeof addDelivery>[3]][] = [
    ['due', { dueAt: new Date(), handledDispatch: 0 }],
    ['retried', { dueAt: soon, attempt: { outcome: 'retried', code: 'unavailable', reason: '503.' } }],
    ['delivered', { copy: { remoteUrl: 'https://forem.example/1' } }],
    ['hidden', { copy: { presence: 'hidden' } }],
    ['failed', failed('rejected', '422: too blue.')],
    ['unknown', unknown('No answer.')],
  ];
  for (const [name, values] of outcomes) {
    const { events } = await collect(() => addDelivery(api.db, id, 'blogsite_a', values));
    assert.ok(events.has(delivery), `${name}: ${[...events].join()}`);
  }
  const attempt = await collect(() =>
    api.db
      .updateTable('deliveryAttempts')
      .set({ endedAt: new Date(), outcome: 'failed', code: 'rejected', reason: 'No.' })
      .where('deliveryId', '=', String(result))
      .execute(),
  );
  assert.ok(attempt.events.has(delivery), [...attempt.events].join());
  for (const command of ['retry', 'skip']) {
    const { events } = await collect(() => desk.post(`/desk/articles/${id}/blogsite_a/${command}`));
    assert.ok(events.has(delivery), `${command}: ${[...events].join()}`);
  }
});

test('a notification is announced when it is added, read in another tab, and removed', async () => {
  const { events } = await collect(notifyAuthor);
  const id = await findNotification();
  assert.ok(events.has(`notification ${id}`), [...events].join());
  for (const act of [
    () => desk.post('/desk/notifications/read', { id }),
    () => api.db.updateTable('notifications').set({ withdrawnAt: new Date() }).where('id', '=', id).execute(),
    () => api.db.deleteFrom('notifications').where('id', '=', id).execute(),
  ]) {
    const { events } = await collect(act);
    assert.ok(events.has(`notification ${id}`), [...events].join());
  }
});

test('changes of comments, reactions, readers, connections, tokens and settings are announced', async () => {
  const id = await publish('Read by people');
  const { slug } = await api.db.selectFrom('articles').select('slug').where('id', '=', id).executeTakeFirstOrThrow();
  const { author } = api;
  const now = new Date();
  const update = (status: 'active' | 'unauthorised') =>
    api.db.updateTable('connections').set({ status }).where('userId', '=', author.id).execute();
  const changes: [string, string, () => Promise<unknown>][] = [
    ['a comment', `article ${id}`, () => comment(api.db, { slug, userId: reader.id })],
    ['a reaction', `article ${id}`, () => react(api.db, { userId: reader.id, slug, kind: 'like', now })],
    ['a view', 'reload', () => addPageView(api.db, { articleId: id, views: 1, readingSeconds: 5, now })],
    [
      'a follower',
      'reload',
      () => api.db.insertInto('followers').values({ authorId: author.id, followerId: reader.id }).execute(),
    ],
    [
      'a subscriber',
      'reload',
      async () => {
        const subscription = { username: author.username, email: 'subscriber@example.org', now };
        const { id: subscriptionId } = await api.db
          .transaction()
          .execute((tx) => findOrAddSubscription(tx, subscription));
        await drain(author.id, stream);
        await confirmSubscription(api.db, subscriptionId, now);
      },
    ],
    ['a connection', 'reload', () => addConnection(api.db, author.id, 'blogsite_b', 'hashnode')],
    ['a refused connection', 'reload', () => update('unauthorised')],
    ['a connection again', 'reload', () => update('active')],
    ['a disconnection', 'reload', () => desk.post('/desk/settings/connections/blogsite_b/disconnect')],
    ['a token', 'reload', () => createDeveloperToken(api.db, { userId: author.id, name: 'ci', now })],
    ['a series', 'reload', () => api.db.insertInto('series').values(createSeriesRow(author.id)).execute()],
    [
      'another name',
      'reload',
      () => api.db.updateTable('users').set({ name: 'Ann' }).where('id', '=', author.id).execute(),
    ],
    [
      'changed digest hour',
      'reload',
      () => api.db.updateTable('digestSettings').set({ hour: 9 }).where('userId', '=', author.id).execute(),
    ],
  ];
  for (const [name, event, act] of changes) {
    const { events } = await collect(act);
    assert.ok(events.has(event), `${name}: ${[...events].join()}`);
  }
});

test('a command on 1,000 rows announces one reload; reserving a rate slot announces nothing', async () => {
  const { events } = await collect(async () => {
    const id = await publish('A thousand deliveries');
    await api.db.transaction().execute(async (tx) => {
      await sql`insert into notifications (user_id, number, type, payload, dedupe_key, on_stream)
        select ${api.author.id}, 100000 + n, 'NEW_FOLLOWER', '{}', ${id} || n, true from generate_series(1, 1000) n`.execute(
        tx,
      );
    });
  });
  assert.ok(events.has('reload'));
  assert.equal([...events].filter((event) => event.startsWith('notification')).length, 0);
  await waitUntilAllDerived(api);
  const quiet = await collect(() =>
    api.db
      .updateTable('connections')
      .set({ arrivalAt: new Date(), refusals: 0 })
      .where('userId', '=', api.author.id)
      .execute(),
  );
  assert.deepEqual([...quiet.events], []);
});

test('only the first publish of a day announces the use of its token, because the page shows the day', async () => {
  const use = (lastUsedAt: Date) =>
    api.db.updateTable('developerTokens').set({ lastUsedAt }).where('userId', '=', api.author.id).execute();
  assert.deepEqual([...(await collect(() => use(new Date('2090-01-01T10:00Z')))).events], ['reload']);
  assert.deepEqual([...(await collect(() => use(new Date('2090-01-01T10:02Z')))).events], []);
  assert.deepEqual([...(await collect(() => use(new Date('2090-01-02T00:01Z')))).events], ['reload']);
});

test('a change that is rolled back is not announced', async () => {
  const id = await publish('Rolled back');
  // The words of an article are stored after its publish, and announced.
  await waitUntilAllDerived(api);
  const { events } = await collect(() =>
    api.db
      .transaction()
      .execute(async (tx) => {
        await tx.updateTable('articles').set({ title: 'Never' }).where('id', '=', id).execute();
        throw new Error('rolled back');
      })
      .catch(() => undefined),
  );
  assert.deepEqual([...events], []);
});

test('a change is announced only to its own author', async () => {
  await publish('Only mine');
  await drain(api.author.id, stream);
  const { id: strangerId } = await api.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'stranger')
    .executeTakeFirstOrThrow();
  await drain(strangerId, others);
  assert.equal(others.events.length, 1, 'its own marker');
});

test('a stream requires a session and a page of this site, and ends with the session', async () => {
  const { url } = api;
  assert.equal((await openDeskStream(url, '')).status, 401);
  assert.equal((await openDeskStream(url, desk.cookie, { 'sec-fetch-site': 'same-site' })).status, 401);
  assert.equal(
    (await openDeskStream(url, `courant_session=${await api.sessions.issue('courant:stream', reader.id)}`)).status,
    401,
  );
  assert.equal((await fetch(`${url}/desk/stream`, { method: 'HEAD', headers: { cookie: desk.cookie } })).status, 405);
  const visitor = await visitDesk(api, reader.id);
  const opened = await openDeskStream(url, visitor.cookie);
  assert.equal(opened.status, 200);
  await api.db.updateTable('sessions').set({ endedAt: new Date() }).where('userId', '=', reader.id).execute();
  await opened.ended;
  assert.equal((await openDeskStream(url, visitor.cookie)).status, 401);
});

test('open pages reload after a lost LISTEN connection', async () => {
  await drain(api.author.id, stream);
  const from = stream.events.length;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`.execute(api.db);
  await eventually('a reload', async () => stream.events.slice(from).some(({ event }) => event === 'reload'));
});

function createSeriesRow(authorId: string) {
  return { authorId, title: 'Parts', titleKey: 'parts', createdAt: new Date() };
}
