/** Titles, notices, links and statuses of every form for readers, and the page of one comment. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { countReaderAction } from '../../../api/readers/limits.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { recordHtml } from '../../support/api/record-html.ts';
import { createReaders, type Person, type Readers } from './support/readers.ts';

let api: TestApi;
let readers: Readers;
let author: Person;
let ada: Person;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  readers = createReaders(api);
  const { id, username } = api.author;
  author = { id, username, cookie: await readers.signIn(id) };
  ada = await readers.join('Ada');
});
after(() => api.close());

const asJson = { accept: 'application/json' };
const readMain = (page: string) => page.replace(/^[\s\S]*<div class="reader">/, '').replace(/<\/main>[\s\S]*$/, '');
const readBack = (page: string) => /<p><a href="([^"]*)">([^<]*)<\/a><\/p><\/div>/.exec(page)?.slice(1).join(' ') ?? '';

test('without a session, each form asks to sign in for its action, and links back', async () => {
  const { slug } = await readers.publish('Without a session');
  const commentId = randomUUID();
  const article = `/${slug} Back to the article`;
  const profile = `/authors/${author.username} Back to the articles`;
  for (const [path, fields, action, back] of [
    [`/articles/${slug}/comments`, { body: 'a' }, 'comment', `/${slug}#comments Back to the comments`],
    [`/articles/${slug}/comments`, { parentId: commentId }, 'reply', `/${slug}#comments Back to the comments`],
    [`/articles/${slug}/comments/lock`, {}, 'lock the comments', article],
    [`/articles/${slug}/comments/unlock`, {}, 'unlock the comments', article],
    [`/articles/${slug}/reactions`, { kind: 'love', act: 'take' }, 'react', article],
    [`/people/${author.username}/follow`, {}, 'follow', profile],
    [`/people/${author.username}/unfollow`, {}, 'unfollow', profile],
    ...['edit', 'delete', 'accept', 'unaccept', 'hide', 'unhide'].map(
      (name) =>
        [
          `/comments/${commentId}/${name}`,
          {},
          'manage the comment',
          `/comments/${commentId} Back to the comment`,
        ] as const,
    ),
  ] as const) {
    const { status, text, cookies } = await readers.send(path, { ...fields, unknown: 'x' });
    assert.deepEqual([status, cookies], [401, []], path);
    assert.match(text, new RegExp(`<button class="button primary">Sign in to ${action}</button>`), path);
    assert.match(text, new RegExp(`<form method="post" action="${path}">`));
    assert.equal(readBack(text), back, path);
    const sent = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    assert.deepEqual(Object.fromEntries(sent.map(([, name, value]) => [name, value])), fields, path);
  }
});

test('a form without a session that a script sent is rejected with JSON and no redirect', async () => {
  const { slug } = await readers.publish('Sent by a script');
  for (const path of [`/articles/${slug}/reactions`, `/people/${author.username}/follow`, `/comments/${slug}/hide`]) {
    const { status, text } = await readers.send(path, { email: 'a@b', password: 'x' }, '', asJson);
    assert.deepEqual([status, JSON.parse(text).code], [401, 'unauthenticated'], path);
  }
});

test('each form shows its notice on the page of its subject', async () => {
  const { slug } = await readers.publish('With notices');
  const id = await comment(api.db, { slug, userId: ada.id, body: 'First' });
  const viewer = `/articles/${slug}/viewer`;
  const person = `/people/${author.username}/viewer`;
  for (const [who, path, fields, to, notice] of [
    [ada, `/articles/${slug}/reactions`, { kind: 'like' }, viewer, 'Reaction added.'],
    [ada, `/articles/${slug}/reactions`, { kind: 'like', act: 'take' }, viewer, 'Reaction removed.'],
    [ada, `/people/${author.username}/follow`, {}, person, `You now follow @${author.username}.`],
    [ada, `/people/${author.username}/unfollow`, {}, person, `You no longer follow @${author.username}.`],
    [
      ada,
      `/people/${author.username}/subscribe`,
      { email: 'a@example.org' },
      person,
      'Check your inbox to confirm your subscription.',
    ],
    [author, `/articles/${slug}/comments/lock`, {}, viewer, 'Comments closed. Existing comments stay.'],
    [author, `/articles/${slug}/comments/unlock`, {}, viewer, 'Comments opened.'],
    [author, `/comments/${id}/accept`, {}, `/comments/${id}`, 'Marked as the accepted answer.'],
    [author, `/comments/${id}/unaccept`, {}, `/comments/${id}`, 'No longer the accepted answer.'],
    [
      author,
      `/comments/${id}/hide`,
      {},
      `/comments/${id}`,
      'Comment hidden. Only you and the person who wrote it can still see it.',
    ],
    [author, `/comments/${id}/unhide`, {}, `/comments/${id}`, 'Comment visible to readers again.'],
    [ada, `/comments/${id}/edit`, { body: 'Second', isQuestion: 'true' }, `/comments/${id}`, 'Comment saved.'],
    [ada, `/comments/${id}/delete`, {}, `/comments/${id}`, 'Comment deleted.'],
  ] as const) {
    const sent = await readers.send(path, fields, who.cookie);
    assert.deepEqual([sent.status, sent.to, sent.notice], [303, to, notice], path);
  }
  const gone = await readers.read(`/comments/${id}`, { cookie: ada.cookie });
  assert.equal(gone.status, 404);
});

test('an account without a confirmed address can only undo: unfollow, delete and unsubscribe', async () => {
  const { slug } = await readers.publish('Unconfirmed');
  const fresh = await readers.join('Fresh');
  const id = await comment(api.db, { slug, userId: fresh.id, body: 'Mine' });
  await api.db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', fresh.id).execute();
  for (const [path, status] of [
    [`/people/${author.username}/follow`, 403],
    [`/articles/${slug}/reactions`, 403],
    [`/articles/${slug}/comments/lock`, 403],
    [`/comments/${id}/edit`, 403],
    [`/comments/${id}/hide`, 403],
    [`/people/${author.username}/unfollow`, 303],
    [`/people/${author.username}/subscribe`, 303],
    [`/comments/${id}/delete`, 303],
  ] as const) {
    const answer = await readers.send(path, { email: 'fresh@example.org' }, fresh.cookie);
    assert.equal(answer.status, status, path);
    if (status === 403) {
      assert.match(answer.text, /<h1 dir="auto">Request rejected<\/h1>/);
      assert.equal(readBack(answer.text), '/desk Go to your desk');
      assert.match(answer.text, /previous page in your browser/);
    }
  }
});

test('the page of a comment has the recorded HTML for its writer and the author of the article', async (context) => {
  const { slug } = await readers.publish('Managed <b>');
  const ids = {
    plain: await comment(api.db, { slug, userId: ada.id, body: 'Plain' }),
    accepted: await comment(api.db, { slug, userId: ada.id, body: 'Accepted' }),
    hidden: await comment(api.db, { slug, userId: ada.id, body: 'Hidden' }),
    own: await comment(api.db, { slug, userId: author.id, body: 'Own' }),
  };
  await readers.send(`/comments/${ids.accepted}/accept`, {}, author.cookie);
  await readers.send(`/comments/${ids.hidden}/hide`, {}, author.cookie);
  await api.db.updateTable('comments').set({ isQuestion: true }).where('id', '=', ids.plain).execute();
  const open = async (id: string, { cookie }: Person) =>
    readMain((await readers.read(`/comments/${id}`, { cookie })).text).replaceAll(id, '{id}');
  const parts: Record<string, string> = {};
  for (const [name, id] of Object.entries(ids)) parts[`${name}, for the author`] = await open(id, author);
  for (const name of ['plain', 'accepted', 'hidden'] as const)
    parts[`${name}, for its writer`] = await open(ids[name], ada);
  await readers.send(`/articles/${slug}/comments/lock`, {}, author.cookie);
  parts['closed, for the author'] = await open(ids.plain, author);
  parts['closed, for its writer'] = await open(ids.plain, ada);
  parts['of another person'] = await open(ids.own, ada);
  await api.db.updateTable('comments').set({ userId: null }).where('id', '=', ids.plain).execute();
  parts['of a closed account'] = (await open(ids.plain, author)).slice(0, 200);
  recordHtml(context, import.meta.dirname, 'managed-comments', parts);
});

test('the pages to which forms redirect show the state of their viewer', async (context) => {
  const { slug } = await readers.publish('Viewed');
  const bob = await readers.join('Bob');
  await readers.send(`/articles/${slug}/reactions`, { kind: 'celebrate' }, bob.cookie);
  const reader = await api.createAuthor('viewed-author');
  await api.db.updateTable('users').set({ name: 'Viewed' }).where('id', '=', reader.id).execute();
  const person = `/people/${reader.username}/viewer`;
  const own = await readers.signIn(reader.id);
  const open = async (path: string, cookie = '') => readMain((await readers.read(path, { cookie })).text);
  const parts = {
    'an article, for somebody who reacted': await open(`/articles/${slug}/viewer`, bob.cookie),
    'an article, for its author': (await open(`/articles/${slug}/viewer`, author.cookie)).slice(-300),
    'an article, without a session': (await open(`/articles/${slug}/viewer`)).slice(0, 400),
    'a person, without a session': await open(person),
    'a person, for herself': await open(person, own),
  };
  await readers.send(`/people/${reader.username}/follow`, {}, bob.cookie);
  const followed = (await open(person, bob.cookie)).slice(0, 400);
  recordHtml(context, import.meta.dirname, 'viewer-pages', { ...parts, 'a person, for a follower': followed });
  for (const [path, cookie, status, body] of [
    [person, bob.cookie, 200, { isFollowed: true }],
    [person, own, 200, { isFollowed: false }],
    [person, '', 401, { isFollowed: false }],
    ['/people/nobody-here/viewer', bob.cookie, 404, { isFollowed: false }],
    [`/articles/${slug}/viewer`, bob.cookie, 200, { reactions: ['celebrate'], isFollowed: false }],
    [`/articles/${slug}/viewer`, '', 401, { reactions: [], isFollowed: false }],
    ['/articles/nothing-here/viewer', bob.cookie, 404, { reactions: [], isFollowed: false }],
  ] as const) {
    const answer = await readers.read(path, { cookie, accept: 'application/json' });
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, body], path);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/, path);
  }
  for (const path of [
    '/people/nobody-here/viewer',
    '/articles/nothing-here/viewer',
    '/articles/nothing-here/comments',
  ]) {
    const answer = await readers.read(path, { cookie: bob.cookie });
    assert.deepEqual([answer.status, /<title>[^<]*not found/i.test(answer.text)], [404, true], path);
  }
});

test('an address of the newsletter is repeated up to 300 characters', async () => {
  const path = `/people/${author.username}/subscribe`;
  const wrong = await readers.send(path, { email: `${'x'.repeat(299)}y${'z'.repeat(9)}` });
  assert.equal(wrong.status, 409);
  assert.match(wrong.text, /value="x{299}y"/);
  assert.equal(readBack(wrong.text), `/authors/${author.username} Back to the articles`);
  assert.equal((await readers.send('/people/nobody-here/subscribe', { email: 'a@example.org' })).status, 404);
});

for (const [action, noun, minute, day] of [
  ['comment', 'comments', 10, 300],
  ['follow', 'follows', 30, 500],
  ['react', 'reactions', 60, 2_000],
] as const) {
  test(`each user can make ${minute} ${noun} per minute and ${day} per day`, async () => {
    const refuse = (span: string, limit: number) => ({
      ...{ code: 'RATE_LIMITED', name: 'RefusedCommandError' },
      message: new RegExp(
        `^The limit is ${limit.toLocaleString('en').replace(',', '')} ${noun} per ${span}\\. Try again in `,
      ),
    });
    const [one, other] = [randomUUID(), randomUUID()];
    for (let n = 0; n < minute; n++) await countReaderAction(api.db, action, one);
    await assert.rejects(countReaderAction(api.db, action, one), refuse('minute', minute));
    await countReaderAction(api.db, action, other);
    const days = api.db.updateTable('rateCounters').set({ count: day - 1 });
    await days.where('bucket', '=', `${action}:86400000:${other}`).execute();
    await countReaderAction(api.db, action, other);
    await assert.rejects(countReaderAction(api.db, action, other), refuse('day', day));
  });
}
