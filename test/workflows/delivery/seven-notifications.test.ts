/**
 * Tests all notification types on a real stream, with exactly the fields of the specification
 * (2.4).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStream } from '../../support/api/event-stream.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { publishArticle } from '../../support/delivery/publishing.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('all seven types arrive on their recipient’s stream only (A20)', {
  timeout: 300_000,
}, async () => {
  const { api } = world;
  const [author, reader] = [await api.createAuthor('ada'), await api.createAuthor('bob')];
  await api.db.updateTable('users').set({ name: 'Bob\r\nevent: forged' }).where('id', '=', reader.id).execute();
  const stream = async (userId: string) => openStream(api.url, await api.sessions.issue('courant:stream', userId));
  const [toAuthor, toReader] = [await stream(author.id), await stream(reader.id)];
  const act = async (userId: string, text: string) => {
    const { data, text: answer } = await runGraphql(api, userId, `mutation { ${text} }`);
    assert.ok(data, answer);
    return data;
  };

  // A key that expired after the connection.
  await world.connect(author, 'blogsite_a', { apiKey: 'expired' });
  await world.connect(author, 'blogsite_b');
  const title = 'Seven kinds';
  const crossPost = { blogsite_a: true, blogsite_b: true };
  const { id, slug } = await publishArticle(world, author, { title, cross_post: crossPost });
  await toAuthor.count(2, 60_000);

  const comment = await act(reader.id, `addComment(slug: "${slug}", body: "Why *so*?") { id }`);
  const reply = await act(
    author.id,
    `addComment(slug: "${slug}", body: "Thus.", parentId: "${comment.addComment.id}") { id }`,
  );
  assert.ok(reply);
  await act(author.id, `acceptAnswer(commentId: "${comment.addComment.id}")`);
  await act(reader.id, 'follow(username: "ada")');

  // Starts the roundup of last week as its Schedule does.
  const lastWeek = new Date(Date.now() - WEEK_MS);
  await api.db.updateTable('articles').set({ publishedAt: lastWeek }).where('id', '=', id).execute();
  const days = [0, 3, 6, 9, 12].map((back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10));
  await api.db
    .insertInto('articleDays')
    .values(days.map((day) => ({ articleId: id, day, views: 40 })))
    .execute();
  await world.client.workflow.execute('roundupWorkflow', { taskQueue: api.taskQueue, workflowId: `roundup-of-${id}` });

  const events = await toAuthor.count(5, 60_000);
  const received = [...events, ...(await toReader.count(2))].map(({ event, data: { id: eventId, ...data } }) => {
    assert.equal(event, 'notification');
    assert.match(eventId, /^[0-9a-f-]{36}$/);
    const { type = '', createdAt, sharedUrl, reason, ...rest } = data as Record<string, string>;
    assert.equal(new Date(createdAt ?? '').toISOString(), createdAt);
    if (sharedUrl !== undefined) assert.equal(new URL(sharedUrl).protocol, 'http:');
    return {
      type,
      ...rest,
      ...(sharedUrl !== undefined && { sharedUrl: true }),
      ...(reason !== undefined && { reason: true }),
    };
  });
  assert.deepEqual(
    received.sort((one, other) => (one.type < other.type ? -1 : 1)),
    [
      { type: 'ACCEPTED_ANSWER', actorName: 'Author ada', postTitle: title },
      { type: 'COMMENT_REPLY', actorName: 'Author ada', postTitle: title },
      { type: 'CROSS_POST_FAILED', platform: 'BLOGSITE_A', postTitle: title, reason: true },
      { type: 'CROSS_POST_SUCCESS', platform: 'BLOGSITE_B', postTitle: title, sharedUrl: true },
      { type: 'FEATURED_ROUNDUP', postTitle: title },
      { type: 'NEW_COMMENT', actorName: 'Bob event: forged', postTitle: title },
      { type: 'NEW_FOLLOWER', actorName: 'Bob event: forged', postTitle: '' },
    ],
  );
  assert.equal(toAuthor.events.length, 5);
  assert.equal(toReader.events.length, 2);
  assert.doesNotMatch(toAuthor.raw(), /^event: forged/m);
  for (const one of [toAuthor, toReader]) one.close();
});
