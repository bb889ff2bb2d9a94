/**
 * Comment forms without script: comments, replies and moderation, on the pages of every instance.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listComments } from '../../../store/comments/list-comments.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { eventually } from '../../support/eventually.ts';
import { createReaders, type Readers, SOON_MS } from './support/readers.ts';

let api: TestApi;
let other: TestApi;
let readers: Readers;
before(async () => {
  api = await startTestApi();
  other = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home });
  readers = createReaders(api);
});
after(async () => {
  await other.close();
  await api.close();
});

test('readers comment and reply, and the author accepts, hides and closes, all with forms', async () => {
  const { slug } = await readers.publish('Talked about');
  const path = `/articles/${slug}/comments`;
  const [ada, grace] = [await readers.join('Ada'), await readers.join('Grace')];
  const author = await readers.signIn(api.author.id);

  const first = await readers.send(path, { body: 'Why *so*?' }, ada.cookie);
  assert.equal(first.status, 303);
  const [, id = ''] = /^\/talked-about#comment-(.*)$/.exec(first.to ?? '') ?? [];
  assert.match(first.nextPage, /<h2 id="comments-title" class="rule">1 comment<\/h2>/);
  assert.match(first.nextPage, new RegExp(`<li class="comment d0" id="comment-${id}">`));
  assert.match(first.nextPage, /<p>Why <em>so<\/em>\?<\/p>/);
  assert.match(first.nextPage, /<span class="state">Question<\/span>/, 'it reads like one');

  const reply = await readers.send(path, { body: 'Thus.', parentId: id }, grace.cookie);
  const [, answer = ''] = /#comment-(.*)$/.exec(reply.to ?? '') ?? [];
  assert.match(reply.nextPage, new RegExp(`<li class="comment d1" id="comment-${answer}">`));
  assert.match(reply.nextPage, new RegExp(`href="#comment-${id}">to <bdi>Ada</bdi>`));

  assert.match((await readers.read(`/comments/${answer}`, { cookie: ada.cookie })).text, /You have no such comment/);
  const refused = await readers.send(`/comments/${answer}/accept`, {}, ada.cookie);
  assert.match(refused.notice, /no public article with such a comment/);
  const accepted = await readers.send(`/comments/${answer}/accept`, {}, author);
  assert.equal(accepted.notice, 'Marked as the accepted answer.');
  const page = await readers.read(`/${slug}`);
  assert.match(page.text, new RegExp(`<a href="#comment-${answer}">The accepted answer</a> is by <bdi>Grace</bdi>`));
  assert.match(page.text, /2 comments, answered/);

  const hidden = await readers.send(`/comments/${id}/hide`, {}, author);
  assert.match(hidden.notice, /Comment hidden/);
  const hiddenPage = (await readers.read(`/${slug}`)).text;
  assert.match(hiddenPage, /This comment is not shown\./);
  assert.doesNotMatch(hiddenPage, /Why <em>so/);
  await readers.send(`/comments/${id}/unhide`, {}, author);

  const locked = await readers.send(`${path}/lock`, {}, author);
  assert.match(locked.notice, /Comments closed/);
  const closed = (await readers.read(`/${slug}`)).text;
  assert.match(closed, /Comments are closed\./);
  assert.doesNotMatch(closed, /<textarea/);
  const late = await readers.send(path, { body: 'Too late, but <not> lost' }, ada.cookie);
  assert.equal(late.status, 409);
  assert.match(late.notice, /has closed comments/);
  assert.match(late.text, /<textarea[^>]*>\nToo late, but &lt;not&gt; lost<\/textarea>/, 'the words stay');
  assert.match((await readers.send(`${path}/unlock`, {}, author)).notice, /Comments opened/);
});

test('only the writer of a comment can edit and delete it', async () => {
  const { slug } = await readers.publish('Changed my mind');
  const [ada, mallory] = [await readers.join('Ada'), await readers.join('Mallory')];
  const { to } = await readers.send(`/articles/${slug}/comments`, { body: 'First thoughts' }, ada.cookie);
  const id = to?.split('#comment-')[1] ?? '';
  const page = await readers.read(`/comments/${id}`, { cookie: ada.cookie });
  assert.match(page.headers.get('cache-control') ?? '', /no-store/);
  assert.match(page.text, /<textarea[^>]*>\nFirst thoughts<\/textarea>/);
  for (const act of ['edit', 'delete', 'hide', 'accept', 'unhide', 'unaccept']) {
    const { status, notice } = await readers.send(`/comments/${id}/${act}`, { body: 'Mine now' }, mallory.cookie);
    assert.deepEqual([status, /no such comment|with such a comment/i.test(notice)], [404, true], act);
  }
  assert.equal(
    (await readers.send(`/comments/${id}/edit`, { body: 'Second thoughts' }, ada.cookie)).notice,
    'Comment saved.',
  );
  assert.match((await readers.read(`/${slug}`)).text, /edited<\/span>[\s\S]*<p>Second thoughts<\/p>/);
  const empty = await readers.send(`/comments/${id}/edit`, { body: ' ' }, ada.cookie);
  assert.match(empty.notice, /needs some text/);
  assert.equal((await readers.send(`/comments/${id}/delete`, {}, ada.cookie)).notice, 'Comment deleted.');
  assert.doesNotMatch((await readers.read(`/${slug}`)).text, /Second thoughts/);
  const signedOut = await readers.read(`/comments/${id}`);
  assert.deepEqual([signedOut.status, signedOut.headers.get('location')], [303, `/login?next=%2Fcomments%2F${id}`]);
});

test('hostile comments and names are shown as text inside their box', async () => {
  const { slug } = await readers.publish('Attacked');
  const mallory = await readers.join('Mallory');
  await api.db
    .updateTable('users')
    .set({ name: '<img src=x onerror=alert(1)>' })
    .where('id', '=', mallory.id)
    .execute();
  const hostile = [
    '<script>alert(1)</script><img src=x onerror=alert(1)> <a href="javascript:alert(1)">click</a>',
    '<div style="position:fixed;inset:0" id="main" class="notice done">over all</div></li></ol></section>',
    '<form action="/logout"><button>Win</button></form><iframe src="https://evil.example"></iframe>',
    `[link](javascript:alert(1)) ${'x'.repeat(3_000)}`,
  ];
  for (const body of hostile) await readers.send(`/articles/${slug}/comments`, { body }, mallory.cookie);
  const { text } = await readers.read(`/${slug}`);
  const [, threads = ''] = /<ol class="threads">([\s\S]*)<\/ol>\s*<\/section>/.exec(text) ?? [];
  assert.equal(threads.match(/<li class="comment d0"/g)?.length, hostile.length);
  assert.equal(threads.match(/<div class="comment-body prose(?: long)?" lang="" dir="auto"/g)?.length, hostile.length);
  assert.doesNotMatch(
    threads,
    /<script|onerror=(?!alert\(1\)&gt;)|javascript:|style=|id="main"|action="\/logout"|<iframe|<img/,
  );
  assert.match(threads, /&lt;img src=x onerror=alert\(1\)&gt;/, 'a name is text');
});

test('every instance shows new and edited comments and changed names within a second, with a later Last-Modified', async () => {
  const { slug } = await readers.publish('Seen everywhere');
  const ada = await readers.join('Ada');
  const [first] = await Promise.all([readers.read(`/${slug}`, { from: other }), readers.read(`/${slug}`)]);
  const seen = (what: RegExp, path = `/${slug}`) =>
    eventually(`${what}`, async () => what.test((await readers.read(path, { from: other })).text), {
      withinMs: SOON_MS,
    });
  // Last-Modified has a resolution of one second.
  await setTimeout(1_000);
  const { to } = await readers.send(`/articles/${slug}/comments`, { body: 'Seen from afar' }, ada.cookie);
  await seen(/Seen from afar/);
  const since = first.headers.get('last-modified') ?? '';
  const again = await fetch(`${other.url}/${slug}`, { headers: { 'if-modified-since': since } });
  assert.equal(again.status, 200, `modified since ${since}`);
  await again.body?.cancel();
  await api.db.updateTable('users').set({ name: 'Renamed' }).where('id', '=', ada.id).execute();
  await seen(/dir="auto">Renamed<\/a>/);
  await readers.send(`/comments/${to?.split('#comment-')[1]}/edit`, { body: 'Changed from afar' }, ada.cookie);
  await seen(/Changed from afar/);
  await seen(/· <span title="[^"]*">edited/);
  const author = `/authors/${api.author.username}`;
  const acts = `/people/${api.author.username}`;
  await readers.read(author, { from: other });
  await readers.send(`${acts}/follow`, {}, ada.cookie);
  await seen(/1 follower</, author);
});

test('a long discussion continues on further pages, and each comment has a URL', async () => {
  const { slug, id } = await readers.publish('Much discussed');
  const ada = await readers.join('Ada');
  const start = Date.now() - 3_600_000;
  const ids: string[] = [];
  for (let number = 0; number < 120; number += 1) {
    const now = new Date(start + number * 1_000);
    ids.push(await comment(api.db, { slug, userId: ada.id, body: `Comment ${number}`, now }));
  }
  const page = (await readers.read(`/${slug}`)).text;
  assert.match(page, /120 comments/);
  assert.match(page, /Comment 99</);
  assert.doesNotMatch(page, /Comment 100</);
  const [, more = ''] = /href="([^"]*\?after=[^"]*)"/.exec(page) ?? [];
  const next = await readers.read(more);
  assert.equal(next.status, 200);
  assert.match(next.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.match(next.text, /Comment 100<[\s\S]*Comment 119</);
  assert.doesNotMatch(next.text, /Comment 99<|More comments/);
  const late = await readers.send(
    `/articles/${slug}/comments`,
    { body: 'At the end', parentId: ids[110] ?? '' },
    ada.cookie,
  );
  const [path = '', anchor] = late.to?.split('#') ?? [];
  assert.match(path, /^\/articles\/much-discussed\/comments\?at=/);
  const found = (await readers.read(path)).text;
  assert.match(found, /Comment 110<[\s\S]*At the end</, 'with the thread to which it belongs');
  assert.match(found, new RegExp(`id="${anchor}"`));
  assert.equal(
    (await readers.read(`/articles/${slug}/comments?at=${api.author.id}`)).headers.get('location'),
    `/${slug}#comments`,
  );
  assert.equal((await listComments(api.db, { articleId: id, viewerId: null, first: 200, after: null })).length, 121);
});

test('an article with comments turned off shows no comment form and rejects comments', async () => {
  const { slug } = await readers.publish('Left in peace', { comments_enabled: false });
  const { text } = await readers.read(`/${slug}`);
  assert.doesNotMatch(text, /id="comments"|<textarea/);
  assert.equal((await readers.read(`/articles/${slug}/comments`)).status, 404);
  const ada = await readers.join('Ada');
  assert.equal(
    (await readers.send(`/articles/${slug}/comments`, { body: 'Hello' }, ada.cookie)).notice,
    'This article has no comments.',
  );
});
