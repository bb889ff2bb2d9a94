/** GraphQL fields about readers: page views, audiences, reactions and notifications, in full. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addNotification, type NewNotification } from '../../../store/notifications/add.ts';
import { NOTIFICATION_TYPES, NOTIFICATIONS } from '../../../store/notifications/types.ts';
import { addPageView } from '../../support/add-page-view.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { runGraphql } from '../../support/api/graphql.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1', now: () => NOW });
});
after(() => api.close());

let count = 0;
async function publish(more: Record<string, unknown> = {}) {
  const author = await api.createAuthor(`engaging-${++count}`);
  const { body } = await api.publish({ content: markdown({ title: `Engaging ${count}`, ...more }) }, author);
  assert.ok(body.data, JSON.stringify(body));
  return { author, id: body.data.id, slug: body.data.slug };
}

test('page views are listed for 1 to 90 days, by default for seven', async () => {
  const { author, id, slug } = await publish();
  for (let n = 0; n < 9; n++) {
    const now = new Date(NOW.getTime() - n * DAY_MS);
    await addPageView(api.db, { articleId: id, views: n + 1, readingSeconds: 60, now, host: 'direct' });
  }
  const read = (args: string) =>
    runGraphql(
      api,
      author.id,
      `{ readings(slug: "${slug}"${args}) { day views readingSeconds hosts { host views } } }`,
    );
  const days = async (args: string) => (await read(args)).data.readings.map(({ day }: { day: string }) => day);
  assert.equal((await days('')).length, 7);
  assert.equal((await days(', days: null')).length, 7);
  assert.equal((await days(', days: 90')).length, 9);
  assert.deepEqual((await read(', days: 1')).data.readings, [
    { day: '2026-11-22', views: 1, readingSeconds: 60, hosts: [{ host: 'direct', views: 1 }] },
  ]);
  for (const wrong of [0, 91]) {
    const { code, field, message } = await read(`, days: ${wrong}`);
    assert.deepEqual([code, field, message], ['BAD_INPUT', 'days', 'days must be 1 to 90.']);
  }
});

test('an audience is null for an unknown author; the counts of an article without comments are zero', async () => {
  const { author, slug } = await publish();
  const reader = await api.createAuthor('engaged-reader');
  const run = async (userId: string, text: string) => (await runGraphql(api, userId, text)).data;
  const audience = (username: string) => `{ audience(username: "${username}") { followers isFollowed } }`;
  assert.deepEqual(await run(reader.id, audience('nobody-here')), { audience: null });
  assert.deepEqual(await run(reader.id, audience(author.username)), { audience: { followers: 0, isFollowed: false } });
  const all = (kinds: string, comments: number, commentsOpen: boolean) => ({
    ...{ comments, commentsOpen },
    reactions: ['LIKE', 'LOVE', 'INSIGHTFUL', 'CELEBRATE'].map((kind) => ({
      kind,
      count: kind === kinds ? 1 : 0,
      isMine: kind === kinds,
    })),
  });
  const query = (of: string) =>
    `{ engagement(slug: "${of}") { comments commentsOpen reactions { kind count isMine } } }`;
  await comment(api.db, { slug, userId: reader.id });
  for (const kind of ['INSIGHTFUL', 'CELEBRATE']) {
    assert.equal((await run(reader.id, `mutation { react(slug: "${slug}", kind: ${kind}) }`)).react, true);
    assert.deepEqual((await run(reader.id, query(slug))).engagement, all(kind, 1, true));
    await run(reader.id, `mutation { unreact(slug: "${slug}", kind: ${kind}) }`);
  }
  const quiet = await publish({ comments_enabled: false });
  assert.deepEqual((await run(reader.id, query(quiet.slug))).engagement, all('', 0, false));
  await run(author.id, `mutation { lockComments(slug: "${slug}") }`);
  assert.equal((await run(reader.id, query(slug))).engagement.commentsOpen, false);
  assert.equal((await runGraphql(api, reader.id, query('nothing-here'))).code, 'NOT_FOUND');
});

test('a notification has the fields of its event, and an absolute address of its subject', async () => {
  const { id: userId } = await api.createAuthor('notified-fields');
  const add = (event: object) =>
    api.db.transaction().execute((tx) => addNotification(tx, { userId, now: NOW, ...event } as NewNotification));
  const payload = { postTitle: 'Title', platform: 'BLOGSITE_A', reason: 'No.' };
  await add({ type: 'CROSS_POST_FAILED', payload, dedupeKey: 'a', link: '/desk/articles/1' });
  const shared = { postTitle: 'Title', platform: 'CMS_SITE', sharedUrl: 'https://there.example/1' };
  await add({ type: 'CROSS_POST_SUCCESS', payload: shared, dedupeKey: 'b' });
  await add({ type: 'NEW_FOLLOWER', payload: { actorName: 'Bo' }, dedupeKey: 'c', link: '/authors/bo' });
  const fields = 'type postTitle actorName platform sharedUrl reason url createdAt readAt';
  const { data } = await runGraphql(api, userId, `{ notifications { edges { node { ${fields} } } } }`);
  const none = { postTitle: '', actorName: null, platform: null, sharedUrl: null, reason: null, url: null };
  const common = { ...none, createdAt: NOW.toISOString(), readAt: null };
  assert.deepEqual(
    data.notifications.edges.map(({ node }: { node: object }) => node),
    [
      { ...common, type: 'NEW_FOLLOWER', actorName: 'Bo', url: `${api.baseUrl}/authors/bo` },
      { ...common, type: 'CROSS_POST_SUCCESS', ...shared },
      { ...common, type: 'CROSS_POST_FAILED', ...payload, url: `${api.baseUrl}/desk/articles/1` },
    ],
  );
});

test('notifications are listed in pages, and marked as read up to one of them', async () => {
  const { id: userId } = await api.createAuthor('paged-fields');
  const { id: otherId } = await api.createAuthor('paged-other');
  for (const receiver of [userId, otherId]) {
    for (let n = 0; n < 3; n++) {
      const event = {
        userId: receiver,
        type: 'NEW_FOLLOWER',
        payload: { actorName: `N${n}`, postTitle: '' },
        dedupeKey: `${receiver}${n}`,
        now: NOW,
      };
      await api.db.transaction().execute((tx) => addNotification(tx, event as NewNotification));
    }
  }
  const read = (args: string, reader = userId) =>
    runGraphql(
      api,
      reader,
      `{ notifications(${args}) { edges { node { id actorName } } pageInfo { hasNextPage endCursor } } }`,
    );
  const { edges, pageInfo } = (await read('first: 2')).data.notifications;
  const names = (list: { node: { actorName: string } }[]) => list.map(({ node }) => node.actorName);
  assert.deepEqual([names(edges), pageInfo.hasNextPage], [['N2', 'N1'], true]);
  const rest = (await read(`first: 2, after: "${pageInfo.endCursor}"`)).data.notifications;
  assert.deepEqual([names(rest.edges), rest.pageInfo.hasNextPage], [['N0'], false]);
  assert.equal((await read(`after: "${pageInfo.endCursor}"`, otherId)).code, 'BAD_CURSOR');
  const mark = async (args: string) => (await runGraphql(api, userId, `mutation { markRead${args} }`)).data.markRead;
  assert.equal(await mark(`(upTo: "${edges[1].node.id}")`), 1);
  assert.equal(await mark('(ids: [])'), 1);
  assert.equal(await mark(''), 0);
});

test('preferences have one entry per type; omitted arguments stay unchanged', async () => {
  const { id } = await api.createAuthor('preferring-fields');
  const read = async () =>
    (await runGraphql(api, id, '{ notificationPreferences { type stream digest } }')).data.notificationPreferences;
  const defaults = NOTIFICATION_TYPES.map((type) => ({
    type,
    stream: true,
    digest: NOTIFICATIONS[type].inDigest ? true : null,
  }));
  assert.deepEqual(await read(), defaults);
  const set = async (args: string) =>
    runGraphql(api, id, `mutation { setNotificationPreference(type: NEW_COMMENT, ${args}) { type stream digest } }`);
  const expected = (stream: boolean, digest: boolean) =>
    defaults.map((row) => (row.type === 'NEW_COMMENT' ? { ...row, stream, digest } : row));
  assert.deepEqual((await set('stream: false')).data.setNotificationPreference, expected(false, true));
  assert.deepEqual((await set('digest: false, stream: null')).data.setNotificationPreference, expected(false, false));
  assert.deepEqual(await read(), expected(false, false));
});
