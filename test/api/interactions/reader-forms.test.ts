/** What readers do without script: forms of the pages that everybody reads, through real HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { register } from '../../../api/accounts/register.ts';
import { listComments } from '../../../store/comments/list-comments.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api.ts';
import { comment } from '../../support/comments.ts';
import { eventually } from '../../support/eventually.ts';

const PASSWORD = 'a long and lovely one';
/** A second is the promise; the rest is for a busy machine. */
const SOON_MS = 10_000;

let api: TestApi;
let other: TestApi;
before(async () => {
  api = await startTestApi();
  other = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home });
});
after(async () => {
  await other.close();
  await api.close();
});

interface Person {
  id: string;
  username: string;
  cookie: string;
}

let count = 0;
/** With an account whose address is confirmed, unless it says otherwise. */
async function join(name: string, { isConfirmed = true } = {}): Promise<Person> {
  count += 1;
  const username = `${name.toLowerCase()}${count}`;
  const { id } = await api.createAuthor(username);
  const change = isConfirmed ? { name } : { name, emailConfirmedAt: null };
  await api.db.updateTable('users').set(change).where('id', '=', id).execute();
  return { id, username, cookie: await signIn(id) };
}

async function signIn(userId: string): Promise<string> {
  return `courant_session=${await api.sessions.issue('courant:cookie', userId)}`;
}

async function publish(title: string, more: Record<string, unknown> = {}) {
  const { body } = await api.publish({ content: markdown({ title, ...more }) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}

async function read(path: string, { cookie = '', from = api, accept = 'text/html' } = {}) {
  const response = await fetch(from.url + path, { headers: { cookie, accept }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** As a browser sends a form of ours; `said` is what the page that it leads to says. */
async function send(path: string, fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
  const own = { 'sec-fetch-site': 'same-origin', cookie, ...headers };
  const body = new URLSearchParams(fields);
  const response = await fetch(api.url + path, { method: 'POST', body, headers: own, redirect: 'manual' });
  const to = response.headers.get('location');
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  const text = await response.text();
  const said = to === null ? '' : (await read(to, { cookie: [cookie, ...cookies].join('; ') })).text;
  return { status: response.status, to, cookies, text, said, notice: readNotice(said || text) };
}

function readNotice(page: string): string {
  return /role="(?:status|alert)"><p>([^<]*)/.exec(page)?.[1] ?? '';
}

/** Fields that a page's form holds hidden, as a browser would send them. */
function readHidden(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, unescapeHtml(value ?? '')]));
}

function unescapeHtml(text: string): string {
  const letters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => letters[entity] ?? '');
}

test('a second person comments, is answered, and the author accepts, hides and closes: all of it with forms', async () => {
  const { slug } = await publish('Talked about');
  const path = `/articles/${slug}/comments`;
  const [ada, grace] = [await join('Ada'), await join('Grace')];
  const author = await signIn(api.author.id);

  const first = await send(path, { body: 'Why *so*?' }, ada.cookie);
  assert.equal(first.status, 303);
  const [, id = ''] = /^\/talked-about#comment-(.*)$/.exec(first.to ?? '') ?? [];
  assert.match(first.said, /<h2 id="comments-title" class="rule">1 comment<\/h2>/);
  assert.match(first.said, new RegExp(`<li class="comment d0" id="comment-${id}">`));
  assert.match(first.said, /<p>Why <em>so<\/em>\?<\/p>/);
  assert.match(first.said, /<span class="state">Question<\/span>/, 'it reads like one');

  const reply = await send(path, { body: 'Thus.', parentId: id }, grace.cookie);
  const [, answer = ''] = /#comment-(.*)$/.exec(reply.to ?? '') ?? [];
  assert.match(reply.said, new RegExp(`<li class="comment d1" id="comment-${answer}">`));
  assert.match(reply.said, new RegExp(`href="#comment-${id}">to <bdi>Ada</bdi>`));

  assert.match((await read(`/comments/${answer}`, { cookie: ada.cookie })).text, /no such comment of yours/);
  const refused = await send(`/comments/${answer}/accept`, {}, ada.cookie);
  assert.match(refused.notice, /no such comment at a public article of yours/);
  const accepted = await send(`/comments/${answer}/accept`, {}, author);
  assert.equal(accepted.notice, 'This is the accepted answer.');
  const page = await read(`/${slug}`);
  assert.match(page.text, new RegExp(`<a href="#comment-${answer}">The accepted answer</a> is by <bdi>Grace</bdi>`));
  assert.match(page.text, /2 comments, answered/);

  const hidden = await send(`/comments/${id}/hide`, {}, author);
  assert.match(hidden.notice, /Readers see this comment no more/);
  const held = (await read(`/${slug}`)).text;
  assert.match(held, /This comment is not shown\./);
  assert.doesNotMatch(held, /Why <em>so/);
  await send(`/comments/${id}/unhide`, {}, author);

  const locked = await send(`${path}/lock`, {}, author);
  assert.match(locked.notice, /comments are closed/);
  const closed = (await read(`/${slug}`)).text;
  assert.match(closed, /Comments are closed\./);
  assert.doesNotMatch(closed, /<textarea/);
  const late = await send(path, { body: 'Too late, but <not> lost' }, ada.cookie);
  assert.equal(late.status, 409);
  assert.match(late.notice, /has closed its comments/);
  assert.match(late.text, /<textarea[^>]*>\nToo late, but &lt;not&gt; lost<\/textarea>/, 'the words stay');
  assert.match((await send(`${path}/unlock`, {}, author)).notice, /comments are open/);
});

test('its writer changes and deletes a comment; nobody else sees how', async () => {
  const { slug } = await publish('Changed my mind');
  const [ada, mallory] = [await join('Ada'), await join('Mallory')];
  const { to } = await send(`/articles/${slug}/comments`, { body: 'First thoughts' }, ada.cookie);
  const id = to?.split('#comment-')[1] ?? '';
  const page = await read(`/comments/${id}`, { cookie: ada.cookie });
  assert.match(page.headers.get('cache-control') ?? '', /no-store/);
  assert.match(page.text, /<textarea[^>]*>\nFirst thoughts<\/textarea>/);
  for (const act of ['edit', 'delete', 'hide', 'accept', 'unhide', 'unaccept']) {
    const { status, notice } = await send(`/comments/${id}/${act}`, { body: 'Mine now' }, mallory.cookie);
    assert.deepEqual([status, /no such comment/i.test(notice)], [404, true], act);
  }
  assert.equal(
    (await send(`/comments/${id}/edit`, { body: 'Second thoughts' }, ada.cookie)).notice,
    'Your comment is changed.',
  );
  assert.match((await read(`/${slug}`)).text, /edited<\/span>[\s\S]*<p>Second thoughts<\/p>/);
  const empty = await send(`/comments/${id}/edit`, { body: ' ' }, ada.cookie);
  assert.match(empty.notice, /needs some text/);
  assert.equal((await send(`/comments/${id}/delete`, {}, ada.cookie)).notice, 'Your comment is deleted.');
  assert.doesNotMatch((await read(`/${slug}`)).text, /Second thoughts/);
  const signedOut = await read(`/comments/${id}`);
  assert.deepEqual([signedOut.status, signedOut.headers.get('location')], [303, `/login?next=%2Fcomments%2F${id}`]);
});

test('who is not signed in loses no word: signing in posts it, a wrong password keeps it', async () => {
  const { slug } = await publish('Signed in on the way');
  const path = `/articles/${slug}/comments`;
  const email = 'on-the-way@example.org';
  const client = { address: '192.0.2.1', userAgent: null };
  await register(api.accounts, client, { username: 'on-the-way', name: 'Ada', email, password: PASSWORD });
  await api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('email', '=', email).execute();
  const words = 'Two lines,\nand "quotes" </textarea><script>alert(1)</script>';
  const asked = await send(path, { body: words, evil: 'field' });
  assert.equal(asked.status, 401);
  assert.match(asked.text, /<h1 dir="auto">Sign in to comment<\/h1>/);
  assert.match(asked.text, new RegExp(`<form method="post" action="${path}">`));
  const kept = readHidden(asked.text);
  assert.deepEqual(kept, { body: words });

  const wrong = await send(path, { ...kept, email, password: 'a wrong one' });
  assert.equal(wrong.status, 401);
  assert.match(wrong.notice, /password is wrong/);
  assert.doesNotMatch(wrong.text, /a wrong one/);
  assert.deepEqual(readHidden(wrong.text), kept);
  assert.deepEqual(wrong.cookies, []);

  const posted = await send(path, { ...readHidden(wrong.text), email, password: PASSWORD });
  assert.equal(posted.status, 303);
  assert.match(posted.to ?? '', new RegExp(`^/${slug}#comment-`));
  assert.match(posted.cookies.join(), /^courant_session=/);
  const shown = posted.said.slice(posted.said.indexOf('id="comments"'));
  assert.match(shown, /Two lines,/);
  assert.doesNotMatch(shown, /<script>alert/);
});

test('forms of other sites do nothing, whatever they bring: no comment, no follow, no signing in (A41)', async () => {
  const { slug } = await publish('Lured');
  const ada = await join('Ada');
  const forms: [string, Record<string, string>][] = [
    [`/articles/${slug}/comments`, { body: 'Bought at evil.example' }],
    [`/articles/${slug}/comments`, { body: 'Hello', email: `${ada.username}@example.org`, password: PASSWORD }],
    [`/articles/${slug}/comments/lock`, {}],
    [`/articles/${slug}/reactions`, { kind: 'like' }],
    [`/people/${api.author.username}/follow`, {}],
    [`/people/${api.author.username}/subscribe`, { email: 'lured@example.org' }],
    ['/comments/00000000-0000-0000-0000-000000000000/delete', {}],
  ];
  for (const [path, fields] of forms) {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status, cookies } = await send(path, fields, ada.cookie, { 'sec-fetch-site': site });
      assert.deepEqual([status, cookies], [403, []], `${path} from ${site}`);
    }
  }
  assert.match((await read(`/${slug}`)).text, /<h2 id="comments-title" class="rule">Comments<\/h2>/);
  const { followers } = await api.db
    .selectFrom('followers')
    .select((eb) => eb.fn.countAll<number>().as('followers'))
    .where('followerId', '=', ada.id)
    .executeTakeFirstOrThrow();
  assert.equal(followers, 0);
});

test('what a stranger writes is shown as text, in a box of its own', async () => {
  const { slug } = await publish('Attacked');
  const mallory = await join('Mallory');
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
  for (const body of hostile) await send(`/articles/${slug}/comments`, { body }, mallory.cookie);
  const { text } = await read(`/${slug}`);
  const [, threads = ''] = /<ol class="threads">([\s\S]*)<\/ol>\s*<\/section>/.exec(text) ?? [];
  assert.equal(threads.match(/<li class="comment d0"/g)?.length, hostile.length);
  assert.equal(threads.match(/<div class="comment-body prose(?: long)?" lang="" dir="auto"/g)?.length, hostile.length);
  assert.doesNotMatch(
    threads,
    /<script|onerror=(?!alert\(1\)&gt;)|javascript:|style=|id="main"|action="\/logout"|<iframe|<img/,
  );
  assert.match(threads, /&lt;img src=x onerror=alert\(1\)&gt;/, 'a name is text');
});

test('an address that is not confirmed, a limit, a reply to nothing and no words say so, and keep what was typed', async () => {
  const { slug } = await publish('Refused');
  const path = `/articles/${slug}/comments`;
  const fresh = await join('Fresh', { isConfirmed: false });
  const unconfirmed = await send(path, { body: 'Before the mail' }, fresh.cookie);
  assert.equal(unconfirmed.status, 403);
  assert.match(unconfirmed.notice, /Confirm your e-mail address first/);
  assert.match(unconfirmed.text, /\nBefore the mail<\/textarea>/);

  const ada = await join('Ada');
  const gone = { body: 'To whom?', parentId: '00000000-0000-0000-0000-000000000000' };
  const orphan = await send(path, gone, ada.cookie);
  assert.equal(orphan.status, 404);
  assert.match(orphan.text, /name="parentId" value="00000000-/);
  assert.equal((await send(path, { body: '' }, ada.cookie)).notice, 'A comment needs some text.');
  assert.match((await send(path, { body: 'x'.repeat(10_001) }, ada.cookie)).notice, /at most 10,000 characters/);
  for (let number = 0; number < 10; number += 1) await send(path, { body: `Number ${number}` }, ada.cookie);
  const limited = await send(path, { body: 'Once too often' }, ada.cookie);
  assert.equal(limited.status, 429);
  assert.match(limited.notice, /10 comments within a minute are the most/);
  assert.match(limited.text, /\nOnce too often<\/textarea>/);
  assert.equal((await send('/articles/nothing-here/comments', { body: 'Hello?' }, fresh.cookie)).status, 403);
  assert.equal(
    (await send('/articles/nothing-here/comments', { body: 'Hello?' }, (await join('Eve')).cookie)).status,
    404,
  );
});

test('a script is answered with JSON: where it is, or why not', async () => {
  const { slug } = await publish('Scripted');
  const ada = await join('Ada');
  const asJson = { accept: 'application/json' };
  const done = await send(`/articles/${slug}/comments`, { body: 'Fetched' }, ada.cookie, asJson);
  assert.match((JSON.parse(done.text) as { path: string }).path, /^\/scripted#comment-/);
  const nobody = await send(`/articles/${slug}/comments`, { body: 'Fetched' }, '', asJson);
  assert.deepEqual([nobody.status, (JSON.parse(nobody.text) as { code: string }).code], [401, 'unauthenticated']);
  const foreign = await send(`/articles/${slug}/reactions`, { kind: 'hate' }, ada.cookie, asJson);
  assert.equal((JSON.parse(foreign.text) as { detail: string }).detail, 'There is no such reaction.');
});

test('reactions and follows count once, are the viewer’s to take back, and are told to their own script alone (A43)', async () => {
  const { slug } = await publish('Well liked');
  const ada = await join('Ada');
  const standing = async (cookie: string) =>
    JSON.parse((await read(`/articles/${slug}/viewer`, { cookie, accept: 'application/json' })).text);
  const given = await send(`/articles/${slug}/reactions`, { kind: 'love' }, ada.cookie);
  assert.match(given.notice, /your reaction counts/);
  assert.match(given.said, /You gave these/);
  await send(`/articles/${slug}/reactions`, { kind: 'love', act: 'give' }, ada.cookie);
  const counted = /value="love">[^\n]*?<span class="count">(\d+)</;
  assert.equal(counted.exec((await read(`/${slug}`)).text)?.[1], '1');
  assert.deepEqual(await standing(ada.cookie), { reactions: ['love'], isFollowed: false });
  assert.equal((await read(`/articles/${slug}/viewer`, { accept: 'application/json' })).status, 401);

  const author = `/authors/${api.author.username}`;
  const acts = `/people/${api.author.username}`;
  assert.match((await send(`${acts}/follow`, {}, ada.cookie)).notice, /^You follow @/);
  assert.match((await read(author)).text, /1 follower</);
  assert.deepEqual(await standing(ada.cookie), { reactions: ['love'], isFollowed: true });
  assert.match((await send(`${acts}/follow`, {}, await signIn(api.author.id))).notice, /^This is you/);
  const suspended = sql`update users set suspended_at = now() where id = ${ada.id}`;
  await suspended.execute(api.db);
  for (const [path, what] of [
    [author, /0 followers</],
    [`/${slug}`, /value="love">[^\n]*?<span class="count">0</],
  ] as const) {
    await eventually(
      `${path} without who is suspended`,
      async () => what.test((await read(path, { from: other })).text),
      {
        withinMs: SOON_MS,
      },
    );
  }
  await sql`update users set suspended_at = null where id = ${ada.id}`.execute(api.db);
  const back = await signIn(ada.id);
  assert.match((await send(`${acts}/unfollow`, {}, back)).notice, /do not follow/);
  assert.match((await send(`/articles/${slug}/reactions`, { kind: 'love', act: 'take' }, back)).notice, /taken back/);
  assert.equal(counted.exec((await read(`/${slug}`)).text)?.[1], '0');
});

test('subscribing needs no account, and is said in the same words whoever the address belongs to', async () => {
  const path = `/people/${api.author.username}/subscribe`;
  const notices = [];
  for (const email of ['news@example.org', 'news@example.org', 'more@example.org']) {
    const { status, notice } = await send(path, { email });
    assert.equal(status, 303);
    notices.push(notice);
  }
  assert.equal(new Set(notices).size, 1);
  assert.match(notices[0] ?? '', /A mail is on its way to you/);
  const { subscribers } = await api.db
    .selectFrom('newsletterSubscribers')
    .select((eb) => eb.fn.countAll<number>().as('subscribers'))
    .executeTakeFirstOrThrow();
  assert.equal(subscribers, 2);
  const wrong = await send(path, { email: 'no address' });
  assert.match(wrong.text, /value="no address"/);
});

test('comments are on the page of every instance within a second, with a later Last-Modified; names change with them', async () => {
  const { slug } = await publish('Seen everywhere');
  const ada = await join('Ada');
  const [first] = await Promise.all([read(`/${slug}`, { from: other }), read(`/${slug}`)]);
  const seen = (what: RegExp, path = `/${slug}`) =>
    eventually(`${what}`, async () => what.test((await read(path, { from: other })).text), { withinMs: SOON_MS });
  // Last-Modified has no part of a second.
  await setTimeout(1_000);
  const { to } = await send(`/articles/${slug}/comments`, { body: 'Seen from afar' }, ada.cookie);
  await seen(/Seen from afar/);
  const since = first.headers.get('last-modified') ?? '';
  const again = await fetch(`${other.url}/${slug}`, { headers: { 'if-modified-since': since } });
  assert.equal(again.status, 200, `modified since ${since}`);
  await again.body?.cancel();
  await api.db.updateTable('users').set({ name: 'Renamed' }).where('id', '=', ada.id).execute();
  await seen(/dir="auto">Renamed<\/a>/);
  await send(`/comments/${to?.split('#comment-')[1]}/edit`, { body: 'Changed from afar' }, ada.cookie);
  await seen(/Changed from afar/);
  await seen(/· <span title="[^"]*">edited/);
  const author = `/authors/${api.author.username}`;
  const acts = `/people/${api.author.username}`;
  await read(author, { from: other });
  await send(`${acts}/follow`, {}, ada.cookie);
  await seen(/1 follower</, author);
});

test('a long discussion goes on at pages of its own, where each comment has an address', async () => {
  const { slug, id } = await publish('Much discussed');
  const ada = await join('Ada');
  const start = Date.now() - 3_600_000;
  const ids: string[] = [];
  for (let number = 0; number < 120; number += 1) {
    const now = new Date(start + number * 1_000);
    ids.push(await comment(api.db, { slug, userId: ada.id, body: `Comment ${number}`, now }));
  }
  const page = (await read(`/${slug}`)).text;
  assert.match(page, /120 comments/);
  assert.match(page, /Comment 99</);
  assert.doesNotMatch(page, /Comment 100</);
  const [, more = ''] = /href="([^"]*\?after=[^"]*)"/.exec(page) ?? [];
  const next = await read(more);
  assert.equal(next.status, 200);
  assert.match(next.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.match(next.text, /Comment 100<[\s\S]*Comment 119</);
  assert.doesNotMatch(next.text, /Comment 99<|More comments/);
  const late = await send(`/articles/${slug}/comments`, { body: 'At the end', parentId: ids[110] ?? '' }, ada.cookie);
  const [path = '', anchor] = late.to?.split('#') ?? [];
  assert.match(path, /^\/articles\/much-discussed\/comments\?at=/);
  const found = (await read(path)).text;
  assert.match(found, /Comment 110<[\s\S]*At the end</, 'with the thread to which it belongs');
  assert.match(found, new RegExp(`id="${anchor}"`));
  assert.equal(
    (await read(`/articles/${slug}/comments?at=${api.author.id}`)).headers.get('location'),
    `/${slug}#comments`,
  );
  assert.equal((await listComments(api.db, { articleId: id, viewerId: null, first: 200, after: null })).length, 121);
});

test('an article without comments has no place for them', async () => {
  const { slug } = await publish('Left in peace', { comments_enabled: false });
  const { text } = await read(`/${slug}`);
  assert.doesNotMatch(text, /id="comments"|<textarea/);
  assert.equal((await read(`/articles/${slug}/comments`)).status, 404);
  const ada = await join('Ada');
  assert.equal(
    (await send(`/articles/${slug}/comments`, { body: 'Hello' }, ada.cookie)).notice,
    'This article has no comments.',
  );
});
