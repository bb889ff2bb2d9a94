/**
 * The account pages in the states that their forms and the data of an author lead to, with all
 * attributes. `node --test --test-update-snapshots test/api/web/page-states.test.ts` writes them.
 */
import { after, before, test } from 'node:test';
import type { LinkPurpose } from '../../../store/db/types.ts';
import { createLink, signLink } from '../../../store/mail-links/links.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { openVisitor, PASSWORD, type Page, signInAgain, type Visitor } from '../accounts/settings-support.ts';
import { recordStates, sendAndFollow } from './support/record-states.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const EARLIER = new Date('2026-10-01T08:00:00Z');
const SETTINGS = '/desk/settings';

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1', now: () => NOW });
});
after(() => api.close());

test('developer tokens', async (context) => {
  const visitor = await openVisitor(api, 'token-author');
  const path = `${SETTINGS}/tokens`;
  const form = crypto.randomUUID();
  const empty = await visitor.get(path);
  const created = await visitor.send(path, { form, name: 'laptop <b>', lifetime: '30' });
  const repeated = await visitor.send(path, { form, name: 'laptop <b>', lifetime: '' });
  const refused = await visitor.send(path, { form: crypto.randomUUID(), name: 'x'.repeat(61), lifetime: '90' });
  const unknown = await visitor.send(path, { form: crypto.randomUUID(), name: 'CI', lifetime: '7' });
  const incomplete = await visitor.send(path, { name: 'CI', lifetime: '365' });
  await visitor.send(path, { form: crypto.randomUUID(), name: 'for a year', lifetime: '365' });
  await createDeveloperToken(api.db, { userId: visitor.userId, name: 'without end', now: EARLIER });
  await api.db
    .updateTable('developerTokens')
    .set({ createdAt: new Date('2026-11-01T09:30:00Z'), expiresAt: NOW, lastUsedAt: new Date('2026-11-20T23:00:00Z') })
    .where('userId', '=', visitor.userId)
    .where('name', '=', 'laptop <b>')
    .execute();
  const listed = await visitor.get(path);
  const action = /action="([^"]+\/revoke)"/.exec(listed.text)?.[1] ?? '';
  const revoked = await sendAndFollow(visitor, action);
  const again = await visitor.send(action);
  const newcomer = await openVisitor(api, 'unconfirmed', { confirmed: false });
  const unconfirmed = await newcomer.get(path);
  const forbidden = await newcomer.send(path, { form: crypto.randomUUID(), name: 'CI', lifetime: '30' });
  recordStates(api, context, 'tokens', [
    ['no token', empty],
    ['created', created],
    ['the same form again', repeated],
    ['a name that is too long', refused],
    ['an unknown expiry', unknown],
    ['an incomplete form', incomplete],
    ['listed', listed],
    ['revoked', revoked],
    ['revoked twice', again],
    ['unconfirmed', unconfirmed],
    ['refused without a confirmed address', forbidden],
  ]);
});

test('sessions and passwords', async (context) => {
  const visitor = await openVisitor(api, 'session-author');
  const path = `${SETTINGS}/sessions`;
  const other = await signInAgain(api, visitor);
  const sessions = () => api.db.selectFrom('sessions').select('id').where('userId', '=', visitor.userId);
  const [first, second] = await sessions().orderBy('userAgent').execute();
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  for (const [row, userAgent] of [
    [first, browser],
    [second, null],
  ] as const) {
    const change = { userAgent, createdAt: EARLIER, lastUsedAt: userAgent === null ? EARLIER : NOW };
    await api.db
      .updateTable('sessions')
      .set(change)
      .where('id', '=', row?.id ?? '')
      .execute();
  }
  const listed = await visitor.get(path);
  const end = async (who: Visitor, ofCurrent: boolean) => {
    const rows = (await who.get(path)).text.split('<li id="session-').slice(1);
    const row = rows.find((text) => text.includes('>this session<') === ofCurrent) ?? '';
    return sendAndFollow(who, /action="([^"]+\/end)"/.exec(row)?.[1] ?? '');
  };
  const otherEnded = await end(visitor, false);
  const endedOther = await other.get(path);
  const unknown = await visitor.send(`${path}/${crypto.randomUUID()}/end`);
  const signedOut = await end(visitor, true);
  const third = await signInAgain(api, visitor);
  const change = (who: Visitor, currentPassword: string, newPassword: string) =>
    sendAndFollow(who, `${SETTINGS}/password`, { currentPassword, newPassword });
  const wrong = await change(third, 'a wrong one', 'a lovely long one');
  const weak = await change(third, PASSWORD, 'password1');
  const alone = await change(third, PASSWORD, 'a lovely long one');
  await change(third, 'a lovely long one', PASSWORD);
  await signInAgain(api, visitor);
  const one = await change(third, PASSWORD, 'a lovely long one');
  await change(third, 'a lovely long one', PASSWORD);
  for (let n = 0; n < 2; n++) await signInAgain(api, visitor);
  const two = await change(third, PASSWORD, 'a lovely long one');
  const everywhere = await sendAndFollow(third, `${path}/end-all`);
  recordStates(api, context, 'sessions', [
    ['two sessions', listed],
    ['another one ended', otherEnded],
    ['in the ended session', endedOther],
    ['an unknown session', unknown],
    ['this one ended', signedOut],
    ['wrong password', wrong],
    ['weak password', weak],
    ['changed', alone],
    ['changed, one other session', one],
    ['changed, two other sessions', two],
    ['ended everywhere', everywhere],
  ]);
});

test('profile', async (context) => {
  const visitor = await openVisitor(api, 'profile-author');
  const path = `${SETTINGS}/profile`;
  const fields = {
    ...{ name: 'Ada <b>', bio: 'One\r\n\r\nTwo', links: 'https://a.example/\r\n \r\nhttps://b.example/' },
    ...{ pictureUrl: ' https://a.example/p.png ', search: 'yes', 'ai-input': '', 'ai-train': 'no' },
  };
  const saved = await sendAndFollow(visitor, path, fields);
  const seen = /name="seen" value="([^"]+)"/.exec(saved.text)?.[1] ?? '';
  const links = 'https://a.example/\r\nhttps://b.example/';
  const unchanged = await visitor.send(path, { ...fields, links, seen: 'of another page' });
  const outdated = await visitor.send(path, { ...fields, name: 'Bo', seen: 'of another page' });
  const wrong = await visitor.send(path, {
    ...{ ...fields, seen, name: '!', bio: 'x'.repeat(1_001), links: 'https://a.example\nb', pictureUrl: 'ftp://x' },
    ...{ search: 'maybe', 'ai-input': 'yes' },
  });
  const many = Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`).join('\n');
  const tooMany = await visitor.send(path, { ...fields, seen, links: many });
  recordStates(api, context, 'profile', [
    ['saved', saved],
    ['the stored values from an old page', unchanged],
    ['other values from an old page', outdated],
    ['every field wrong', wrong],
    ['too many links', tooMany],
  ]);
});

test('deletion of an account', async (context) => {
  const visitor = await openVisitor(api, 'leaving-author');
  const { token } = await createDeveloperToken(api.db, { userId: visitor.userId, name: 'of tests', now: NOW });
  const path = `${SETTINGS}/delete`;
  const publish = (title: string, more: object = {}) =>
    api.publish({ content: markdown({ title, id: title.toLowerCase(), ...more }) }, { token });
  const empty = await visitor.get(path);
  const { id: articleId = '' } = (await publish('First')).body.data ?? {};
  await addCopies(visitor.userId, articleId, [{ name: '@ada', remoteUrl: 'https://a.example/1', presence: 'live' }]);
  const one = await visitor.get(path);
  await publish('Later', { scheduled_at: '2099-01-01' });
  await addCopies(visitor.userId, articleId, [
    { name: null, remoteUrl: null, presence: 'uncertain' },
    { name: '<b>', remoteUrl: 'javascript:alert(1)', presence: 'hidden' },
    { name: '@gone', remoteUrl: 'https://a.example/2', presence: 'deleted' },
  ]);
  const several = await visitor.get(path);
  await publish('Later still', { scheduled_at: '2099-01-01' });
  await addCopies(
    visitor.userId,
    articleId,
    Array.from({ length: 98 }, (_, n) => ({ name: `@${n}`, remoteUrl: null, presence: 'live' })),
  );
  const { text, ...many } = await visitor.get(path);
  const refused = await visitor.send(path, { password: 'guessed' });
  const end = { ...many, text: text.slice(0, text.indexOf('<table')) + text.slice(text.indexOf('</table>')) };
  const deleted = await sendAndFollow(visitor, path, { password: PASSWORD });
  recordStates(api, context, 'deletion', [
    ['nothing to delete', empty],
    ['one article and copy', one],
    ['several', several],
    ['more copies than are listed', end],
    ['wrong password', { ...refused, text: refused.text.replace(/<table[\s\S]*<\/table>/, '') }],
    ['deleted', deleted],
  ]);
});

interface NewCopy {
  name: string | null;
  remoteUrl: string | null;
  presence: string;
}

let copyCount = 0;

/** Adds copies of an article, each at an account of its own, in the order of the page. */
async function addCopies(userId: string, articleId: string, copies: readonly NewCopy[]): Promise<void> {
  for (const { name, remoteUrl, presence } of copies) {
    const account = {
      userId,
      destination: 'blogsite_a' as const,
      platform: 'forem',
      identity: crypto.randomUUID(),
      name,
    };
    const { id: accountId } = await api.db
      .insertInto('accounts')
      .values(account)
      .returning('id')
      .executeTakeFirstOrThrow();
    const id = `00000000-0000-4000-8000-${String(copyCount++).padStart(12, '0')}`;
    const copy = { id, articleId, accountId, remoteId: accountId, remoteUrl, presence };
    await api.db
      .insertInto('copies')
      .values(copy as never)
      .execute();
  }
}

test('sign-in, registration and links of mails', async (context) => {
  const visitor = await openVisitor(api, 'linked-author');
  const newcomer = await openVisitor(api, 'linked-newcomer', { confirmed: false });
  const stranger = { ...visitor, cookies: new Map<string, string>() };
  const next = '/desk/write?a=1&b=2';
  const open = async (path: string, form?: Record<string, string>): Promise<Page> => {
    const body = form && new URLSearchParams(form);
    const init = { method: form ? 'POST' : 'GET', ...(body && { body }), redirect: 'manual' } as const;
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(api.url + path, { ...init, headers });
    const location = answer.headers.get('location');
    return { status: answer.status, location, text: await answer.text(), headers: answer.headers };
  };
  const person = { username: 'made-here', name: 'Made', email: 'made-here@example.org', password: PASSWORD, next };
  const link = (who: Visitor, purpose: LinkPurpose) => createMailLink(who, purpose);
  const confirm = await link(newcomer, 'confirm_email');
  const first = await link(newcomer, 'reset_password');
  const reset = await link(visitor, 'reset_password');
  await createDeveloperToken(api.db, { userId: visitor.userId, name: 'one', now: NOW });
  const withOne = await open(reset);
  await createDeveloperToken(api.db, { userId: visitor.userId, name: 'two', now: NOW });
  recordStates(api, context, 'sign-in', [
    ['sign-in', await open(`/login?next=${encodeURIComponent(next)}`)],
    ['wrong password', await open('/login', { email: ` ${stranger.email} `, password: 'wrong', next })],
    ['signed in', await open('/login', { email: stranger.email, password: PASSWORD, next })],
    ['registration', await open(`/register?next=${encodeURIComponent(next)}`)],
    ['invalid user name', await open('/register', { ...person, username: ' a b ' })],
    ['reserved user name', await open('/register', { ...person, username: 'admin' })],
    ['invalid name', await open('/register', { ...person, name: ' ! ' })],
    ['invalid address', await open('/register', { ...person, email: ' nobody ' })],
    ['taken address', await open('/register', { ...person, email: stranger.email })],
    ['weak password', await open('/register', { ...person, password: 'password' })],
    ['registered', await open('/register', person)],
    ['reset link without an address', await open('/account/forgot-password', { email: 'x' })],
    ['reset link requested', await open('/account/forgot-password', { email: ' a@example.org ' })],
    ['mail requested again', await sendAndFollow(newcomer, '/account/resend-confirmation')],
    ['mail requested again, confirmed', await sendAndFollow(visitor, '/account/resend-confirmation')],
    ['confirmation', await open(confirm)],
    ['confirmation without a valid link', await open('/account/confirm-email?token=x')],
    ['reset', await open(reset)],
    ['reset with one token', withOne],
    ['reset of an unconfirmed account', await open(first)],
    ['reset with a weak password', await open(reset, { password: 'password' })],
    ['reset of a confirmed account done', await open(reset, { password: 'a lovely long one' })],
    ['reset again', await open(reset, { password: 'a lovely long one' })],
    ['confirmed', await open(confirm, {})],
    ['confirmed twice', await open(confirm, {})],
    ['reset after the confirmation', await open(first)],
    ['reset of an unconfirmed account done', await resetNewcomer()],
  ]);

  async function resetNewcomer(): Promise<Page> {
    const another = await openVisitor(api, 'reset-newcomer', { confirmed: false });
    return open(await link(another, 'reset_password'), { password: 'a lovely long one' });
  }
});

async function createMailLink({ userId, email }: Visitor, purpose: LinkPurpose): Promise<string> {
  const id = crypto.randomUUID();
  const expiresAt = new Date(NOW.getTime() + 3_600_000);
  await createLink(api.db, { id, purpose, userId, subscriberId: null, email, expiresAt, now: NOW });
  const path = purpose === 'confirm_email' ? 'confirm-email' : 'reset-password';
  return `/account/${path}?token=${signLink(api.accounts.linkKey, { id, purpose, subjectId: userId, email })}`;
}
