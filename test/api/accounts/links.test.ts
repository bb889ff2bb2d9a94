/** Address confirmation and password resets, from the mail to the page of its link. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  confirmEmail,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
} from '../../../api/accounts/links/links.ts';
import { signLink } from '../../../store/mail-links/links.ts';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import { sweepUnconfirmedAccounts } from '../../../store/users/sweep-unconfirmed.ts';
import { assertHistoriesReplay } from '../../support/delivery/replay.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type AccountsDesk,
  CLIENT,
  findLink,
  PASSWORD,
  readToken,
  startAccountsDesk,
} from './support/accounts-desk.ts';

let desk: AccountsDesk;
before(async () => {
  desk = await startAccountsDesk();
});
after(() => desk.close());

const isConfirmed = async (id: string) => (await findOwnProfile(desk.api.db, id))?.emailConfirmedAt !== null;
const refusal = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

async function requestReset(email: string, count = 1): Promise<string> {
  await requestPasswordReset(desk.api.accounts, { address: `192.0.2.${count}`, userAgent: null }, email);
  const mails = await desk.waitForMails(email, /Reset your password/, count);
  return findLink(mails.at(-1) as (typeof mails)[0]);
}

test('the button of the linked page confirms an address, and opening the page (GET) does not', async () => {
  const { userId, email } = await desk.register('ada');
  const [mail] = await desk.waitForMails(email, /Confirm your address/);
  assert.ok(mail);
  const link = findLink(mail);
  for (let look = 0; look < 3; look++) {
    const page = await fetch(link);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<form method="post">/);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('cache-control'), 'no-store');
  }
  assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
  assert.equal(await isConfirmed(userId), false);
  const done = await fetch(link, { method: 'POST', body: new URLSearchParams() });
  assert.equal(done.status, 200);
  assert.equal(await isConfirmed(userId), true);
  const again = await fetch(link, { method: 'POST', body: new URLSearchParams() });
  assert.equal(again.status, 200, 'a second click says the same');
  assert.match(await (await fetch(link)).text(), /was already used/);
});

test('a link is valid only for its purpose and its user, and a changed link is rejected (A13)', async () => {
  const [ada, eve] = [await desk.register('ada-two'), await desk.register('eve')];
  const [mail] = await desk.waitForMails(ada.email, /Confirm/);
  assert.ok(mail);
  const token = readToken(findLink(mail));
  const { linkKey } = desk.api.accounts;
  const id = token.split('.')[1] ?? '';
  const as = (more: object) =>
    signLink(linkKey, { id, purpose: 'confirm_email', subjectId: ada.userId, email: ada.email, ...more });
  assert.equal(as({}), token);
  const others = [
    as({ subjectId: eve.userId }),
    as({ email: eve.email }),
    as({ purpose: 'reset_password' }),
    as({ id: eve.userId }),
    signLink(Buffer.alloc(32), { id, purpose: 'confirm_email', subjectId: ada.userId, email: ada.email }),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    ...['', 'm1..', `${token}.`, token.toUpperCase(), `${token}\0`, 'x'.repeat(5_000)],
  ];
  for (const other of others)
    await assert.rejects(confirmEmail(desk.api.accounts, other), refusal('LINK_INVALID'), other.slice(0, 80));
  await assert.rejects(
    resetPassword(desk.api.accounts, token, { password: 'a good new password', keepDeveloperTokens: false }),
    refusal('LINK_INVALID'),
  );
  for (const query of ['', '?token=', `?token=${token}&token=${token}`, '?token=%00'])
    assert.equal((await fetch(`${desk.api.url}/account/confirm-email${query}`)).status, 404, query);
  assert.equal(await isConfirmed(ada.userId), false);
});

test('a link for a former address of the user confirms nothing', async () => {
  const { userId, email } = await desk.register('moved');
  const [mail] = await desk.waitForMails(email, /Confirm/);
  assert.ok(mail);
  await desk.api.db.updateTable('users').set({ email: 'new@example.org' }).where('id', '=', userId).execute();
  await assert.rejects(confirmEmail(desk.api.accounts, readToken(findLink(mail))), refusal('LINK_INVALID'));
});

test('a reset link sets a new password once, ends every session and mails the owner', async () => {
  const { userId, email } = await desk.register('forgetful');
  await desk.api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('id', '=', userId).execute();
  const session = await desk.api.sessions.issue('courant:session', userId);
  const link = await requestReset(email);
  assert.equal((await fetch(link)).status, 200);
  const weak = await fetch(link, { method: 'POST', body: new URLSearchParams({ password: 'password1' }) });
  assert.equal(weak.status, 422);
  assert.match(await weak.text(), /This password is too common/);
  await desk.login(email, PASSWORD);
  const [first, second] = await Promise.all(
    ['a quite new password', 'another new password'].map((password) =>
      fetch(link, { method: 'POST', body: new URLSearchParams({ password }) }),
    ),
  );
  assert.deepEqual([first?.status, second?.status].toSorted(), [200, 404], 'once');
  const chosen = first?.status === 200 ? 'a quite new password' : 'another new password';
  await assert.rejects(desk.login(email, PASSWORD), refusal('UNAUTHENTICATED'));
  await desk.login(email, chosen);
  const answer = await fetch(`${desk.api.url}/notifications/sse-token`, {
    headers: { authorization: `Bearer ${session}` },
  });
  assert.equal(answer.status, 401, 'sessions of before are refused at once');
  await desk.waitForMails(email, /was changed/);
});

test('the link of a swept unconfirmed account is rejected as expired, with the next step', async () => {
  const { userId, email } = await desk.register('forgotten');
  const [mail] = await desk.waitForMails(email, /Confirm/);
  assert.ok(mail);
  const { db } = desk.api;
  await db
    .updateTable('users')
    .set({ createdAt: new Date(0) })
    .where('id', '=', userId)
    .execute();
  await db
    .updateTable('mailLinks')
    .set({ expiresAt: new Date(0) })
    .where('userId', '=', userId)
    .execute();
  await eventually('the account to be forgotten', async () => {
    await sweepUnconfirmedAccounts(db, new Date());
    return !(await findOwnProfile(db, userId));
  });
  await assert.rejects(
    confirmEmail(desk.api.accounts, readToken(findLink(mail))),
    /already used or expired.+request another mail/,
  );
});

test('a password reset invalidates the other reset links of the account', async () => {
  const { email } = await desk.register('twice-asked');
  const first = await requestReset(email, 1);
  const second = await requestReset(email, 2);
  await resetPassword(desk.api.accounts, readToken(second), {
    password: 'a quite new password',
    keepDeveloperTokens: false,
  });
  await assert.rejects(
    resetPassword(desk.api.accounts, readToken(first), { password: 'the thief was here', keepDeveloperTokens: false }),
    refusal('LINK_INVALID'),
  );
});

test('a reset request for an address without an account sends no mail', async () => {
  await requestPasswordReset(desk.api.accounts, CLIENT, 'nobody@example.org');
  const [mail] = await eventually(
    'the mail to end',
    async () => {
      const mails = await desk.listMails('nobody@example.org');
      return mails[0]?.state !== 'pending' && mails;
    },
    { withinMs: 60_000 },
  );
  assert.deepEqual(mail, { kind: 'reset_password', state: 'skipped', reason: 'No account has this address.' });
  assert.deepEqual(
    desk.smtp.begun.filter((to) => to === 'nobody@example.org'),
    [],
  );
});

test('a reset mail is sent to the stored spelling of the address', async () => {
  await desk.register('case', { email: 'Case@example.org' });
  await requestPasswordReset(desk.api.accounts, CLIENT, 'cASE@EXAMPLE.org');
  await desk.waitForMails('Case@example.org', /Reset your password/);
});

test('a mail to an unconfirmed address does not contain the display name', async () => {
  const { email } = await desk.register('spammer', { name: 'WIN at https://evil.example\r\nBcc: v@example.org' });
  const [mail] = await desk.waitForMails(email, /Confirm/);
  assert.ok(mail);
  assert.doesNotMatch(`${mail.parsed.text}${mail.parsed.html}${JSON.stringify(mail.parsed.headers)}`, /evil|Bcc/);
});

test('repeated requests for a confirmation while the mail server is unavailable send one mail', async () => {
  const { userId, email } = await desk.register('impatient');
  await desk.waitForMails(email, /Confirm/);
  desk.smtp.onRecipient = () => '450 4.2.0 try again';
  try {
    for (let n = 0; n < 3; n++) await resendConfirmation(desk.api.accounts, CLIENT, userId);
    await eventually(
      'three to have been tried',
      async () => {
        const rows = await desk.api.db.selectFrom('outbox').select('id').where('mailId', 'is not', null).execute();
        return rows.length === 0;
      },
      { withinMs: 60_000 },
    );
  } finally {
    desk.smtp.onRecipient = () => null;
  }
  await desk.waitForMails(email, /Confirm/, 2);
  const states = await eventually(
    'all to end',
    async () => {
      const mails = (await desk.listMails(email)).map(({ state }) => state);
      return !mails.includes('pending') && !mails.includes('sending') && mails;
    },
    { withinMs: 60_000 },
  );
  assert.deepEqual(states, ['sent', 'skipped', 'skipped', 'sent']);
  assert.equal(await resendConfirmation(desk.api.accounts, CLIENT, desk.api.author.id), false, 'confirmed already');
});

test('neither the outbox nor a history contains an address or a link, and the histories replay', async () => {
  const { userId, email } = await desk.register('discreet');
  const [mail] = await desk.waitForMails(email, /Confirm/);
  assert.ok(mail);
  const mac = readToken(findLink(mail)).split('.')[2] ?? '';
  const histories = await assertHistoriesReplay(desk.client, desk.api.taskQueue, 3);
  const text = JSON.stringify(histories, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
  );
  assert.equal(text.includes(email) || text.includes(mac) || text.includes('example.org'), false);
  const dump = JSON.stringify([
    await desk.api.db.selectFrom('mailLinks').selectAll().where('userId', '=', userId).execute(),
    await desk.api.db.selectFrom('outbox').selectAll().execute(),
  ]);
  assert.equal(dump.includes(mac), false);
});

test('the state of a session includes whether the address is confirmed', async () => {
  const { userId, accessToken } = await desk.register('unconfirmed');
  const owner = await desk.api.accounts.sessions.verify('courant:session', accessToken);
  assert.equal(owner?.userId, userId);
  const standing = await findSessionStatus(desk.api.db, { ...owner, now: new Date() } as never);
  assert.deepEqual(standing, { state: 'open', emailConfirmed: false });
});
