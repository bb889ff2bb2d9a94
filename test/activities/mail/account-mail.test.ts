/** The mail that each kind becomes: its recipient, subject, link and the link's validity. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createMailActivities } from '../../../activities/mail/send.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { MailKind } from '../../../store/db/types.ts';
import type { SignedLink } from '../../../store/mail-links/links.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

let count = 0;
async function addPerson({ isConfirmed = true } = {}): Promise<{ userId: string; username: string; email: string }> {
  const username = `person${++count}`;
  const email = `${username}@example.org`;
  const { id } = await createUser(database.db, { username, name: 'Ada Lovelace', email, passwordHash: 'x', now: NOW });
  const values = { emailConfirmedAt: isConfirmed ? NOW : null };
  await database.db.updateTable('users').set(values).where('id', '=', id).execute();
  return { userId: id, username, email };
}

async function send(kind: MailKind, to: { userId?: string; subscriberId?: string; email: string }) {
  const { db } = database;
  const values = { kind, userId: null, subscriberId: null, ...to, createdAt: NOW, at: NOW };
  const { id } = await db.insertInto('mails').values(values).returning('id').executeTakeFirstOrThrow();
  const sent: Mail[] = [];
  const mail = {
    async send(composed: Mail, { beforeLastByte }: { beforeLastByte: () => Promise<void> }) {
      await beforeLastByte();
      sent.push(composed);
      return { kind: 'sent' };
    },
  };
  const signed: SignedLink[] = [];
  const signLink = (link: SignedLink) => {
    signed.push(link);
    return 'a token+';
  };
  const deps = { db, mail, signLink, baseUrl: 'https://here.example', now: () => NOW };
  const { sendMail, closeMail } = createMailActivities(deps as unknown as ActivityDeps);
  const outcome = await new MockActivityEnvironment().run(sendMail, { mailId: id });
  const link = await db.selectFrom('mailLinks').selectAll().where('id', '=', id).executeTakeFirst();
  const { state } = await db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, outcome, state, mail: sent[0], signed, link, closeMail };
}

for (const [kind, subject, path, hours] of [
  ['confirm_email', 'Confirm your address at Courant', '/account/confirm-email', 72],
  ['reset_password', 'Reset your password for Courant', '/account/reset-password', 1],
  ['password_changed', 'Your password at Courant was changed', null, 0],
  ['account_replaced', 'Your account at Courant was reset', null, 0],
] as const) {
  test(`a mail of the kind ${kind} ${path === null ? 'has no link' : `has a link for ${hours} hours`}`, async () => {
    const { userId, username, email } = await addPerson({ isConfirmed: kind !== 'confirm_email' });
    const { id, outcome, state, mail, signed, link } = await send(kind, { userId, email });
    assert.deepEqual([outcome, state], [{ kind: 'sent' }, 'sent']);
    const name = kind === 'confirm_email' ? username : 'Ada Lovelace';
    assert.partialDeepStrictEqual(mail, {
      ...{ subject, to: { name, address: email }, messageId: `<mail.${id}@here.example>` },
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const text = mail?.text ?? '';
    assert.ok(text.includes(`@${username}`));
    if (path === null) {
      assert.deepEqual([signed, link], [[], undefined]);
      return;
    }
    assert.ok(text.includes(`\nhttps://here.example${path}?token=a%20token%2B\n`), text);
    assert.deepEqual(signed, [{ id, purpose: kind, subjectId: userId, email }]);
    assert.partialDeepStrictEqual(link, { purpose: kind, userId, subscriberId: null, email });
    assert.equal(link?.expiresAt.getTime(), NOW.getTime() + hours * HOUR_MS);
  });
}

test('a subscription is confirmed by the subscriber, who has no name', async () => {
  const { userId: authorId, username } = await addPerson();
  const email = 'reader@example.net';
  const { id: subscriberId } = await database.db
    .insertInto('newsletterSubscribers')
    .values({ authorId, email, createdAt: NOW })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { mail, signed, link, id } = await send('confirm_subscription', { subscriberId, email });
  assert.deepEqual(
    [mail?.to, mail?.subject],
    [{ name: '', address: email }, `Confirm your subscription to @${username}`],
  );
  assert.deepEqual(signed, [{ id, purpose: 'confirm_subscription', subjectId: subscriberId, email }]);
  assert.partialDeepStrictEqual(link, { userId: null, subscriberId });
  await database.db
    .updateTable('newsletterSubscribers')
    .set({ confirmedAt: NOW })
    .where('id', '=', subscriberId)
    .execute();
  const skipped = await send('confirm_subscription', { subscriberId, email });
  assert.deepEqual(skipped.outcome, { kind: 'skipped', reason: 'The address is already confirmed.' });
});

test('a changed password is reported with the number of tokens that still work', async () => {
  const { userId, email } = await addPerson();
  for (const name of ['one', 'two']) await createDeveloperToken(database.db, { userId, name, now: NOW });
  const { mail } = await send('password_changed', { userId, email });
  assert.ok(mail?.text.replace(/\n/g, ' ').includes('2 developer tokens still work.'), mail?.text);
});

test('a mail without a recipient or reason is not sent', async () => {
  const confirmed = await addPerson();
  const { userId, email } = confirmed;
  const known = await send('confirm_email', { userId, email });
  assert.deepEqual(known.outcome, { kind: 'skipped', reason: 'The address is already confirmed.' });
  const nobody = await send('reset_password', { email: 'nobody@example.org' });
  assert.deepEqual(nobody.outcome, { kind: 'skipped', reason: 'No account has this address.' });
  const { sendMail } = createMailActivities({ db: database.db, now: () => NOW } as unknown as ActivityDeps);
  const missing = { mailId: '00000000-0000-4000-8000-000000000000' };
  assert.deepEqual(await new MockActivityEnvironment().run(sendMail, missing), { kind: 'deleted' });
  const { outcome } = nobody;
  assert.equal(
    await nobody.closeMail({ mailId: nobody.id, outcome: outcome as { kind: 'skipped'; reason: string } }),
    'skipped',
  );
});
