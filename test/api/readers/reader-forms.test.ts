/** Forms for readers without script, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { register } from '../../../api/accounts/sign-in/register.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createReaders, type Readers, readHidden, SOON_MS } from './support/readers.ts';

const PASSWORD = 'a long and lovely one';

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

test('a comment without a session is kept by the sign-in form and posted after signing in', async () => {
  const { slug } = await readers.publish('Signed in on the way');
  const path = `/articles/${slug}/comments`;
  const email = 'on-the-way@example.org';
  const client = { address: '192.0.2.1', userAgent: null };
  await register(api.accounts, client, { username: 'on-the-way', name: 'Ada', email, password: PASSWORD });
  await api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('email', '=', email).execute();
  const words = 'Two lines,\nand "quotes" </textarea><script>alert(1)</script>';
  const signInPage = await readers.send(path, { body: words, evil: 'field' });
  assert.equal(signInPage.status, 401);
  assert.match(signInPage.text, /<h1 dir="auto">Sign in to comment<\/h1>/);
  assert.match(signInPage.text, new RegExp(`<form method="post" action="${path}">`));
  const hiddenFields = readHidden(signInPage.text);
  assert.deepEqual(hiddenFields, { body: words });

  const wrong = await readers.send(path, { ...hiddenFields, email, password: 'a wrong one' });
  assert.equal(wrong.status, 401);
  assert.match(wrong.notice, /password is wrong/);
  assert.doesNotMatch(wrong.text, /a wrong one/);
  assert.deepEqual(readHidden(wrong.text), hiddenFields);
  assert.deepEqual(wrong.cookies, []);

  const posted = await readers.send(path, { ...readHidden(wrong.text), email, password: PASSWORD });
  assert.equal(posted.status, 303);
  assert.match(posted.to ?? '', new RegExp(`^/${slug}#comment-`));
  assert.match(posted.cookies.join(), /^courant_session=/);
  const shown = posted.nextPage.slice(posted.nextPage.indexOf('id="comments"'));
  assert.match(shown, /Two lines,/);
  assert.doesNotMatch(shown, /<script>alert/);
});

test('forms of other sites cannot comment, follow or sign in (A50)', async () => {
  const { slug } = await readers.publish('Lured');
  const ada = await readers.join('Ada');
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
      const { status, cookies } = await readers.send(path, fields, ada.cookie, { 'sec-fetch-site': site });
      assert.deepEqual([status, cookies], [403, []], `${path} from ${site}`);
    }
  }
  assert.match((await readers.read(`/${slug}`)).text, /<h2 id="comments-title" class="rule">Comments<\/h2>/);
  const { followers } = await api.db
    .selectFrom('followers')
    .select((eb) => eb.fn.countAll<number>().as('followers'))
    .where('followerId', '=', ada.id)
    .executeTakeFirstOrThrow();
  assert.equal(followers, 0);
});

test('an account without a confirmed address is refused with the next step; if the form signs in first, it still has the typed text', async () => {
  const { slug } = await readers.publish('Refused before the mail');
  const path = `/articles/${slug}/comments`;
  const fresh = await readers.join('Fresh', { isConfirmed: false });
  const refused = await readers.send(path, { body: 'Before the mail' }, fresh.cookie);
  assert.equal(refused.status, 403);
  assert.match(refused.notice, /Confirm your e-mail address first/);
  assert.match(refused.text, /action="\/account\/resend-confirmation"/);
  const asJson = { accept: 'application/json' };
  const scripted = await readers.send(path, { body: 'Before the mail' }, fresh.cookie, asJson);
  assert.equal((JSON.parse(scripted.text) as { code: string }).code, 'email_not_confirmed');

  const email = 'newcomer@example.org';
  const client = { address: '192.0.2.7', userAgent: null };
  await register(api.accounts, client, { username: 'newcomer', name: 'New', email, password: PASSWORD });
  const onTheWay = await readers.send(path, { body: 'Before the mail', email, password: PASSWORD });
  assert.equal(onTheWay.status, 403);
  assert.match(onTheWay.notice, /Confirm your e-mail address first/);
  // The visitor is signed in now. Another sign-in form would open another session each time.
  assert.match(onTheWay.cookies.join(), /^courant_session=/);
  assert.doesNotMatch(onTheWay.text, /name="password"|previous page in your browser/);
  assert.match(onTheWay.text, /action="\/account\/resend-confirmation"/);
  assert.match(onTheWay.text, /<textarea[^>]*>\nBefore the mail<\/textarea>/);
});

test('rejected comments show the reason and keep the typed text', async () => {
  const { slug } = await readers.publish('Refused');
  const path = `/articles/${slug}/comments`;
  const ada = await readers.join('Ada');
  const gone = { body: 'To whom?', parentId: '00000000-0000-0000-0000-000000000000' };
  const orphan = await readers.send(path, gone, ada.cookie);
  assert.equal(orphan.status, 404);
  assert.match(orphan.text, /name="parentId" value="00000000-/);
  assert.equal((await readers.send(path, { body: '' }, ada.cookie)).notice, 'A comment needs some text.');
  assert.match(
    (await readers.send(path, { body: 'x'.repeat(10_001) }, ada.cookie)).notice,
    /at most 10,000 characters/,
  );
  for (let number = 0; number < 10; number += 1) await readers.send(path, { body: `Number ${number}` }, ada.cookie);
  const limited = await readers.send(path, { body: 'Once too often' }, ada.cookie);
  assert.equal(limited.status, 429);
  assert.match(limited.notice, /The limit is 10 comments per minute/);
  assert.match(limited.text, /\nOnce too often<\/textarea>/);
  assert.equal(
    (await readers.send('/articles/nothing-here/comments', { body: 'Hello?' }, (await readers.join('Eve')).cookie))
      .status,
    404,
  );
});

test('scripts receive JSON with the path of the comment or the error', async () => {
  const { slug } = await readers.publish('Scripted');
  const ada = await readers.join('Ada');
  const asJson = { accept: 'application/json' };
  const done = await readers.send(`/articles/${slug}/comments`, { body: 'Fetched' }, ada.cookie, asJson);
  assert.match((JSON.parse(done.text) as { path: string }).path, /^\/scripted#comment-/);
  const nobody = await readers.send(`/articles/${slug}/comments`, { body: 'Fetched' }, '', asJson);
  assert.deepEqual([nobody.status, (JSON.parse(nobody.text) as { code: string }).code], [401, 'unauthenticated']);
  const foreign = await readers.send(`/articles/${slug}/reactions`, { kind: 'hate' }, ada.cookie, asJson);
  assert.equal((JSON.parse(foreign.text) as { detail: string }).detail, 'Unknown reaction.');
});

test('reactions and follows count once, can be removed, and are sent only to their own viewer (A52)', async () => {
  const { slug } = await readers.publish('Well liked');
  const ada = await readers.join('Ada');
  const readViewerState = async (cookie: string) =>
    JSON.parse((await readers.read(`/articles/${slug}/viewer`, { cookie, accept: 'application/json' })).text);
  const reacted = await readers.send(`/articles/${slug}/reactions`, { kind: 'love' }, ada.cookie);
  assert.match(reacted.notice, /Reaction added/);
  assert.match(reacted.nextPage, /Your reactions/);
  await readers.send(`/articles/${slug}/reactions`, { kind: 'love', act: 'give' }, ada.cookie);
  const counted = /value="love">[^\n]*?<span class="count">(\d+)</;
  assert.equal(counted.exec((await readers.read(`/${slug}`)).text)?.[1], '1');
  assert.deepEqual(await readViewerState(ada.cookie), { reactions: ['love'], isFollowed: false });
  assert.equal((await readers.read(`/articles/${slug}/viewer`, { accept: 'application/json' })).status, 401);

  const author = `/authors/${api.author.username}`;
  const acts = `/people/${api.author.username}`;
  assert.match((await readers.send(`${acts}/follow`, {}, ada.cookie)).notice, /^You now follow @/);
  assert.match((await readers.read(author)).text, /1 follower</);
  assert.deepEqual(await readViewerState(ada.cookie), { reactions: ['love'], isFollowed: true });
  assert.match(
    (await readers.send(`${acts}/follow`, {}, await readers.signIn(api.author.id))).notice,
    /^You cannot follow yourself/,
  );
  const suspended = sql`update users set suspended_at = now() where id = ${ada.id}`;
  await suspended.execute(api.db);
  for (const [path, what] of [
    [author, /0 followers</],
    [`/${slug}`, /value="love">[^\n]*?<span class="count">0</],
  ] as const) {
    await eventually(
      `${path} without who is suspended`,
      async () => what.test((await readers.read(path, { from: other })).text),
      {
        withinMs: SOON_MS,
      },
    );
  }
  await sql`update users set suspended_at = null where id = ${ada.id}`.execute(api.db);
  const back = await readers.signIn(ada.id);
  assert.match((await readers.send(`${acts}/unfollow`, {}, back)).notice, /no longer follow/);
  assert.match(
    (await readers.send(`/articles/${slug}/reactions`, { kind: 'love', act: 'take' }, back)).notice,
    /Reaction removed/,
  );
  assert.equal(counted.exec((await readers.read(`/${slug}`)).text)?.[1], '0');
});

test('subscribing needs no account, and the response does not depend on the address', async () => {
  const path = `/people/${api.author.username}/subscribe`;
  const notices = [];
  for (const email of ['news@example.org', 'news@example.org', 'more@example.org']) {
    const { status, notice } = await readers.send(path, { email });
    assert.equal(status, 303);
    notices.push(notice);
  }
  assert.equal(new Set(notices).size, 1);
  assert.match(notices[0] ?? '', /Check your inbox to confirm/);
  const { subscribers } = await api.db
    .selectFrom('newsletterSubscribers')
    .select((eb) => eb.fn.countAll<number>().as('subscribers'))
    .executeTakeFirstOrThrow();
  assert.equal(subscribers, 2);
  const wrong = await readers.send(path, { email: 'no address' });
  assert.match(wrong.text, /value="no address"/);
});
