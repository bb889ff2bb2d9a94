/** Forms of the settings pages, with a browser that runs no script. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SUBJECT_NAMES } from '../../../api/web/desk/settings-page.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { openVisitor, PASSWORD, type Page, signInAgain, type Visitor } from './settings-support.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const TOKEN = /courant_[0-9a-f]{48}/;

/** Follows the redirect of a form and returns the next page. */
async function follow(visitor: Visitor, answer: Page): Promise<Page> {
  assert.equal(answer.status, 303, answer.text);
  return visitor.get(answer.location ?? '');
}

async function readFormId(visitor: Visitor): Promise<string> {
  const { text } = await visitor.get('/desk/settings/tokens');
  return /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

test('each subject has an uncached page, marked as current in the list; strangers are redirected to sign-in (A52)', async () => {
  const visitor = await openVisitor(api, 'looks-around');
  assert.equal((await visitor.get('/settings')).location, '/desk/settings');
  assert.match((await visitor.get('/desk/settings')).text, /Mondays at 08:00/);
  for (const subject of SUBJECT_NAMES) {
    const page = await visitor.get(`/desk/settings/${subject}`);
    assert.equal(page.status, 200, subject);
    assert.match(page.text, new RegExp(`href="/desk/settings/${subject}" aria-current="page"`));
    assert.equal(page.headers.get('cache-control'), 'no-store');
    const stranger = await fetch(`${api.url}/desk/settings/${subject}`, { redirect: 'manual' });
    assert.equal(stranger.headers.get('location'), `/login?next=%2Fdesk%2Fsettings%2F${subject}`);
  }
});

test('settings forms of other sites are rejected (A50)', async () => {
  const visitor = await openVisitor(api, 'lured-author');
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const subjects = SUBJECT_NAMES.filter((name) => !['connections', 'sessions'].includes(name));
  const connection = ['new', 'test', 'reconnect', 'disconnect'].map((action) => `connections/blogsite_a/${action}`);
  for (const path of [...subjects, ...connection, 'tokens/x/revoke', 'sessions/end-all', 'sessions/x/end']) {
    const answer = await visitor.send(`/desk/settings/${path}`, { password: PASSWORD }, foreign);
    assert.equal(answer.status, 403, path);
  }
  assert.equal((await visitor.get('/desk/settings')).status, 200);
});

test('a profile is saved; problems appear at their fields, and the form keeps the typed values', async () => {
  const visitor = await openVisitor(api, 'says-who');
  const fields = {
    ...{
      name: 'Ada <b>',
      bio: 'One\r\n\r\nTwo',
      links: 'https://example.org/ada\r\n\r\nhttps://example.net/',
      pictureUrl: '',
    },
    ...{ search: 'yes', 'ai-input': '', 'ai-train': 'no' },
  };
  const saved = await follow(visitor, await visitor.send('/desk/settings/profile', fields));
  assert.match(saved.text, /Profile saved/);
  assert.match(saved.text, /value="Ada &lt;b&gt;"/);
  const row = await api.db.selectFrom('users').selectAll().where('id', '=', visitor.userId).executeTakeFirstOrThrow();
  assert.deepEqual(
    [row.bio, row.links, row.pictureUrl, row.contentSignal],
    ['One\n\nTwo', ['https://example.org/ada', 'https://example.net/'], null, 'search=yes, ai-train=no'],
  );

  const refused = await visitor.send('/desk/settings/profile', {
    ...{ ...fields, name: ' ', links: 'https://example.org/\njavascript:alert(1)', pictureUrl: 'ftp://x', bio: 'Kept' },
  });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="name-help" role="alert">The name must be one line/);
  assert.match(refused.text, /id="links-help" role="alert">Line 2 must be an address/);
  assert.match(refused.text, /id="pictureUrl-help" role="alert"/);
  assert.match(refused.text, />\nKept<\/textarea>/);
  assert.match(refused.text, /javascript:alert\(1\)<\/textarea>/);
  assert.match((await visitor.get('/desk/settings/profile')).text, /value="Ada &lt;b&gt;"/);
});

test('a profile that another window changed meanwhile is stored only when the form is sent again', async () => {
  const visitor = await openVisitor(api, 'two-windows');
  const path = '/desk/settings/profile';
  const open = async () => /name="seen" value="([^"]+)"/.exec((await visitor.get(path)).text)?.[1] ?? '';
  const [first, second] = [await open(), await open()];
  const form = { name: 'Name of two-windows', bio: '', links: '', pictureUrl: '' };
  const find = () =>
    api.db.selectFrom('users').select(['name', 'bio']).where('id', '=', visitor.userId).executeTakeFirst();
  const fromFirst = { ...form, seen: first, bio: 'From the first' };
  assert.equal((await visitor.send(path, fromFirst)).status, 303);
  assert.equal((await visitor.send(path, fromFirst)).status, 303, 'a form sent twice');
  const outdated = await visitor.send(path, { ...form, seen: second, name: 'From the second' });
  assert.equal(outdated.status, 422);
  assert.match(outdated.text, /role="alert"><p>The profile was changed in another window/);
  assert.match(outdated.text, /value="From the second"/);
  assert.deepEqual(await find(), { name: 'Name of two-windows', bio: 'From the first' });
  const seen = /name="seen" value="([^"]+)"/.exec(outdated.text)?.[1] ?? '';
  assert.equal((await visitor.send(path, { ...form, seen, name: 'From the second' })).status, 303);
  assert.deepEqual(await find(), { name: 'From the second', bio: null });
});

test('a token is shown once in the response; the same form creates no second one, and a revoked token is rejected', async () => {
  const visitor = await openVisitor(api, 'makes-tokens');
  const form = await readFormId(visitor);
  const made = await visitor.send('/desk/settings/tokens', { form, name: 'laptop', lifetime: '30' });
  assert.equal(made.status, 200);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  assert.doesNotMatch(made.headers.getSetCookie().join(), TOKEN);
  const token = TOKEN.exec(made.text)?.[0] ?? '';
  assert.equal((await api.publish({ content: markdown({ title: 'By token' }) }, { token })).status, 201);

  const packageUrl = `${api.baseUrl}/cli/courant.tgz`;
  assert.ok(made.text.includes(`npm install --global ${packageUrl}<`), 'the command that installs the command line');
  assert.ok(made.text.includes('courant login --token - --endpoint http'), 'the login without the token in it');

  const again = await visitor.send('/desk/settings/tokens', { form, name: 'laptop', lifetime: '30' });
  assert.equal(again.status, 409);
  assert.match(again.text, /already sent and created “laptop”/);
  assert.doesNotMatch(again.text, TOKEN);
  const listed = (await visitor.get('/desk/settings/tokens')).text;
  assert.equal(listed.match(/\/revoke"/g)?.length, 1);
  assert.match(listed, new RegExp(`ends with <code>${token.slice(-4)}</code>`));

  const action = /action="([^"]+\/revoke)"/.exec(listed)?.[1] ?? '';
  assert.match((await follow(visitor, await visitor.send(action))).text, /Token revoked/);
  assert.equal((await api.publish({ content: markdown({ title: 'By token' }) }, { token })).status, 401);
  assert.equal((await visitor.send(action)).status, 404);
});

test('two concurrent submissions of a form create one token', async () => {
  const visitor = await openVisitor(api, 'clicks-twice');
  const sent = { form: await readFormId(visitor), name: 'once', lifetime: '' };
  const answers = await Promise.all([1, 2].map(() => visitor.send('/desk/settings/tokens', sent)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('a token needs a name and a confirmed address', async () => {
  const visitor = await openVisitor(api, 'nameless');
  const form = await readFormId(visitor);
  const refused = await visitor.send('/desk/settings/tokens', { form, name: ' ', lifetime: '90' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="name-help" role="alert"/);
  assert.match(refused.text, /value="90" selected/);
  assert.equal((await visitor.send('/desk/settings/tokens', { form, name: 'x', lifetime: '7' })).status, 422);
  const newcomer = await openVisitor(api, 'unconfirmed', { confirmed: false });
  assert.match((await newcomer.get('/desk/settings/tokens')).text, /Confirm your e-mail address before/);
  const tried = await newcomer.send('/desk/settings/tokens', { form, name: 'x', lifetime: '' });
  assert.equal(tried.status, 403);
  assert.doesNotMatch(tried.text, TOKEN);
});

test('tokens and sessions of other users are a 404', async () => {
  const [owner, other] = [await openVisitor(api, 'owner-of-all'), await openVisitor(api, 'other-person')];
  await owner.send('/desk/settings/tokens', { form: await readFormId(owner), name: 'mine', lifetime: '' });
  const paths = ['tokens', 'sessions'].map(async (subject) => {
    const { text } = await owner.get(`/desk/settings/${subject}`);
    return /action="([^"]+\/(?:revoke|end))"/.exec(text)?.[1] ?? '';
  });
  for (const path of await Promise.all(paths)) {
    assert.notEqual(path, '');
    assert.equal((await other.send(path)).status, 404, path);
  }
  assert.equal((await other.send('/desk/settings/sessions/not-an-id/end')).status, 404);
  assert.match((await owner.get('/desk/settings/tokens')).text, /mine/);
});

test('the digest settings are saved, and problems appear at their fields', async () => {
  const visitor = await openVisitor(api, 'reads-mails');
  const fields = { frequency: 'monthly', weekday: '5', hour: '17', zone: 'asia/tokyo', sendEmpty: 'on' };
  const saved = await follow(visitor, await visitor.send('/desk/settings/digest', fields));
  assert.match(saved.text, /The next one is due <time[^>]*>[^<]+17:00 Asia\/Tokyo<\/time>/);
  assert.match(saved.text, /name="sendEmpty" checked/);
  const refused = await visitor.send('/desk/settings/digest', { ...fields, zone: 'Mars/Base', hour: '24' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="zone-help" role="alert">It must be the IANA name/);
  assert.match(refused.text, /value="Mars\/Base"/);
  assert.match(refused.text, /id="hour-help"/);
  await api.db
    .updateTable('digestSettings')
    .set({ stoppedAt: new Date(), stoppedReason: '550 no such <user>', nextDueAt: null })
    .where('userId', '=', visitor.userId)
    .execute();
  assert.match((await visitor.get('/desk/settings/digest')).text, /550 no such &lt;user&gt;/);
  const off = await follow(visitor, await visitor.send('/desk/settings/digest', { ...fields, frequency: 'off' }));
  assert.match(off.text, /No digest will be sent/);
});

test('each type of notification can be selected for open pages and for the digest', async () => {
  const visitor = await openVisitor(api, 'wants-silence');
  const chosen = { 'stream.NEW_COMMENT': 'on', 'digest.NEW_FOLLOWER': 'on' };
  const saved = await follow(visitor, await visitor.send('/desk/settings/notifications', chosen));
  assert.deepEqual(saved.text.match(/name="[^"]+" checked/g), [
    'name="stream.NEW_COMMENT" checked',
    'name="digest.NEW_FOLLOWER" checked',
  ]);
});

test('a problem of a settings form appears once, at its field', async () => {
  const visitor = await openVisitor(api, 'types-badly');
  const profile = { name: 'Name', bio: '', links: '', pictureUrl: '' };
  const digest = { frequency: 'weekly', weekday: '1', hour: '8', zone: 'UTC' };
  const token = { form: await readFormId(visitor), name: 'laptop', lifetime: '30' };
  for (const [subject, field, fields] of [
    ['profile', 'name', { ...profile, name: ' ' }],
    ['profile', 'bio', { ...profile, bio: 'x'.repeat(1_001) }],
    ['profile', 'links', { ...profile, links: 'ftp://x' }],
    ['profile', 'pictureUrl', { ...profile, pictureUrl: 'ftp://x' }],
    ['digest', 'frequency', { ...digest, frequency: 'hourly' }],
    ['digest', 'weekday', { ...digest, weekday: '8' }],
    ['digest', 'hour', { ...digest, hour: '24' }],
    ['digest', 'zone', { ...digest, zone: 'Mars/Base' }],
    ['tokens', 'name', { ...token, name: ' ' }],
    ['tokens', 'lifetime', { ...token, lifetime: '7' }],
    ['password', 'currentPassword', { currentPassword: 'not this', newPassword: 'another lovely one' }],
    ['password', 'newPassword', { currentPassword: PASSWORD, newPassword: 'password1' }],
    ['delete', 'password', { password: 'guessed it' }],
  ] as const) {
    const { status, text } = await visitor.send(`/desk/settings/${subject}`, fields);
    const alerts = text.match(/<[^>]+ role="alert"/g);
    assert.deepEqual([status, alerts], [422, [`<span class="problem" id="${field}-help" role="alert"`]], subject);
  }
});

test('a new password requires the current one and ends the other sessions', async () => {
  const visitor = await openVisitor(api, 'changes-it');
  const elsewhere = await signInAgain(api, visitor);
  const newPassword = 'another lovely one';
  const wrong = await visitor.send('/desk/settings/password', { currentPassword: 'not this', newPassword });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="currentPassword-help" role="alert"/);
  assert.doesNotMatch(wrong.text, /not this|another lovely one/);
  const weak = await visitor.send('/desk/settings/password', { currentPassword: PASSWORD, newPassword: 'password1' });
  assert.match(weak.text, /id="newPassword-help" role="alert"/);
  const done = await visitor.send('/desk/settings/password', { currentPassword: PASSWORD, newPassword });
  assert.match((await follow(visitor, done)).text, /Password changed. 1 other session was ended/);
  assert.match((await elsewhere.get('/desk/settings')).location ?? '', /^\/login/);
});

test('sessions are listed with the current one marked, and can be ended individually or all at once', async () => {
  const visitor = await openVisitor(api, 'many-places');
  const elsewhere = await signInAgain(api, visitor);
  const third = await signInAgain(api, visitor);
  const rows = (await visitor.get('/desk/settings/sessions')).text
    .split('<li id="session-')
    .filter((row) => row.includes('/end"'));
  assert.equal(rows.length, 3);
  const own = await third.get('/desk/settings/sessions');
  const thirds = own.text.split('<li id="session-').find((row) => row.includes('>this session<')) ?? '';
  const action = /action="([^"]+\/end)"/.exec(thirds)?.[1] ?? '';
  assert.match((await follow(visitor, await visitor.send(action))).text, /Session ended/);
  assert.match((await third.get('/desk')).location ?? '', /^\/login/);
  assert.equal((await elsewhere.get('/desk/settings/sessions')).status, 200);
  const all = await visitor.send('/desk/settings/sessions/end-all');
  assert.equal(all.location, '/login');
  for (const one of [visitor, elsewhere]) assert.match((await one.get('/desk')).location ?? '', /^\/login/);
});

test('the export is the response to a form, and its URL contains no token', async () => {
  const visitor = await openVisitor(api, 'takes-along');
  const answer = await visitor.send('/desk/settings/export');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="courant-/);
  assert.match(answer.text, /^PK/);
});

test('deleting an account requires the password, and the page lists what remains', async () => {
  const visitor = await openVisitor(api, 'leaves-us');
  assert.match((await visitor.get('/desk/settings/delete')).text, /No copies: you have none at destinations/);
  const wrong = await visitor.send('/desk/settings/delete', { password: 'guessed it' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="password-help" role="alert">The password is wrong. Nothing was deleted/);
  assert.doesNotMatch(wrong.text, /guessed it/);
  const deleted = await visitor.send('/desk/settings/delete', { password: PASSWORD });
  assert.equal(deleted.location, '/login');
  assert.equal(visitor.cookies.has('courant_session'), false);
  assert.match((await visitor.get('/login')).text, /Account deleted/);
});
