/** Tests account mails: sent at most once, with the outcome in their rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MailKind } from '../../../store/db/types.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { markOpenMailsUnknown } from '../../../store/mails/mail-row.ts';
import { buildMailWorkflowId } from '../../../temporal/names.ts';
import { startMail } from '../../../temporal/signals.ts';
import { type DigestWorld, startDigestWorld } from '../../support/api/digest.ts';
import { addPerson } from '../../support/api/readership.ts';
import { eventually } from '../../support/eventually.ts';

let world: DigestWorld;
before(async () => {
  world = await startDigestWorld();
});
after(() => world.close());

interface Recipient {
  userId: string;
  email: string;
}

async function addRecipient(name: string): Promise<Recipient> {
  const userId = await addPerson(world.db, name, new Date('2026-11-01T00:00:00Z'));
  const { email } = await world.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { userId, email };
}

async function queue(recipient: Recipient, kind: MailKind = 'password_changed'): Promise<string> {
  return (await enqueueMail(world.db, { kind, ...recipient, now: new Date() })).id;
}

const start = (mailId: string) =>
  startMail({ client: world.client, taskQueue: world.taskQueue }, { mailId, kind: 'password_changed' });
const waitFor = (mailId: string): Promise<string> =>
  world.client.workflow.getHandle(buildMailWorkflowId(mailId)).result();
const read = (mailId: string) =>
  world.db
    .selectFrom('mails')
    .select(['state', 'reason', 'attempts'])
    .where('id', '=', mailId)
    .executeTakeFirstOrThrow();
const countTaken = ({ email }: Recipient) => world.smtp.mails.filter(({ to }) => to === email).length;

test('a mail started by several dispatchers is sent once, and not again after it has ended', async () => {
  const recipient = await addRecipient('Once');
  const id = await queue(recipient);
  await Promise.all(Array.from({ length: 5 }, () => start(id)));
  assert.equal(await waitFor(id), 'sent');
  await start(id);
  assert.equal(await waitFor(id), 'sent');
  assert.equal(countTaken(recipient), 1);
  const [mail] = world.smtp.mails.filter(({ to }) => to === recipient.email);
  assert.equal(mail?.parsed.messageId, `<mail.${id}@courant.example>`);
});

test('a mail sent completely without an answer is unknown and not sent again', async () => {
  const recipient = await addRecipient('Unanswered');
  const id = await queue(recipient);
  world.around.mail = (inner) => ({
    ...inner,
    async send(mail, options) {
      await inner.send(mail, options);
      return { kind: 'unknown', reason: 'the connection was cut' };
    },
  });
  try {
    await start(id);
    assert.match(await waitFor(id), /^unknown: the connection was cut/);
  } finally {
    world.around.mail = (inner) => inner;
  }
  assert.equal((await read(id)).state, 'unknown');
  assert.equal(countTaken(recipient), 1);
});

test('a mail in an exchange with a lost worker is not sent again', async () => {
  const recipient = await addRecipient('Lost worker');
  const id = await queue(recipient);
  await world.db.updateTable('mails').set({ state: 'sending', attempts: 1 }).where('id', '=', id).execute();
  await start(id);
  assert.match(await waitFor(id), /^unknown: The worker stopped while it sent the mail/);
  assert.equal(countTaken(recipient), 0);
});

test('an unavailable server is retried, and a missing mailbox ends the mail with the server’s reason', async () => {
  const patient = await addRecipient('Patient');
  const id = await queue(patient);
  let refusals = 0;
  world.smtp.onRecipient = (to) => (to === patient.email && refusals++ < 2 ? '451 4.3.0 try again later' : null);
  await start(id);
  assert.equal(await waitFor(id), 'sent');
  assert.deepEqual([countTaken(patient), refusals], [1, 3]);

  const missing = await addRecipient('Gone');
  const refused = await queue(missing);
  world.smtp.onRecipient = () => '550 5.1.1 no such user';
  try {
    await start(refused);
    assert.match(await waitFor(refused), /^refused: .*no such user/);
  } finally {
    world.smtp.onRecipient = () => null;
  }
  assert.equal((await read(refused)).state, 'refused');
});

test('a mail to a suspended or deleted user is not sent', async () => {
  const [suspended, deleted] = [await addRecipient('Suspended'), await addRecipient('Deleted')];
  const [first, second] = [await queue(suspended), await queue(deleted)];
  await world.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', suspended.userId).execute();
  await world.db.deleteFrom('users').where('id', '=', deleted.userId).execute();
  await Promise.all([start(first), start(second)]);
  assert.equal(await waitFor(first), 'skipped: The account is suspended.');
  assert.equal(await waitFor(second), 'deleted');
});

test('each of two password changes is reported, and of two requested links only the newer is sent', async () => {
  const recipient = await addRecipient('Hurried');
  for (const [kind, first] of [
    ['password_changed', 'sent'],
    ['account_replaced', 'sent'],
    ['reset_password', 'skipped: A newer mail has been requested since.'],
  ] as const) {
    const [older, newer] = [await queue(recipient, kind), await queue(recipient, kind)];
    await Promise.all([start(older), start(newer)]);
    assert.deepEqual([await waitFor(older), await waitFor(newer)], [first, 'sent'], kind);
  }
  assert.equal(countTaken(recipient), 5);
});

test('a subscription is confirmed at the entered address, without text of the author', async () => {
  const author = await addRecipient('BUY NOW http://evil.example');
  const email = 'reader@example.net';
  const { id: subscriberId } = await world.db
    .insertInto('newsletterSubscribers')
    .values({ authorId: author.userId, email })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await enqueueMail(world.db, {
    kind: 'confirm_subscription',
    userId: null,
    subscriberId,
    email,
    now: new Date(),
  });
  await start(id);
  assert.equal(await waitFor(id), 'sent');
  const mail = await eventually('the mail', async () => world.smtp.mails.find(({ to }) => to === email));
  assert.match(mail.parsed.text ?? '', /https:\/\/courant\.example\/newsletter\/confirm\?token=m1\./);
  assert.doesNotMatch(`${mail.parsed.text}${mail.parsed.subject}`, /evil/);
  const link = await world.db.selectFrom('mailLinks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.deepEqual([link.purpose, link.subscriberId, link.email], ['confirm_subscription', subscriberId, email]);
});

test('no mail of a restored backup is sent', async () => {
  const recipient = await addRecipient('Restored');
  const id = await queue(recipient);
  assert.ok((await markOpenMailsUnknown(world.db, 'restored', new Date())) >= 1);
  await start(id);
  assert.equal(await waitFor(id), 'unknown: restored');
  assert.equal(countTaken(recipient), 0);
});
