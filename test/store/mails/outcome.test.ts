/** The state of a mail after each outcome, and the outcome that a row already records. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import {
  loadMail,
  markMail,
  markOpenMailsUnknown,
  recordMailOutcome,
  unmarkMail,
} from '../../../store/mails/mail-row.ts';
import { type FinalMailOutcome, readFinalOutcome, resolveMailState } from '../../../store/mails/outcome.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const OUTCOMES: FinalMailOutcome[] = [
  { kind: 'sent' },
  { kind: 'deleted' },
  { kind: 'skipped', reason: '' },
  { kind: 'unknown', reason: '' },
  { kind: 'refused', reason: '', cause: 'recipient' },
  { kind: 'failed', reason: '' },
];

for (const [before, ...after] of [
  ['pending', 'sent', 'pending', 'skipped', 'unknown', 'refused', 'failed'],
  ['sending', 'sent', 'sending', 'unknown', 'unknown', 'refused', 'unknown'],
  ['sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent'],
  ['unknown', 'sent', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
  ['skipped', 'skipped', 'skipped', 'skipped', 'skipped', 'skipped', 'skipped'],
  ['refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'refused'],
  ['failed', 'failed', 'failed', 'failed', 'failed', 'failed', 'failed'],
] as const) {
  test(`the state of a ${before} mail after each outcome`, () => {
    assert.deepEqual(
      OUTCOMES.map((outcome) => resolveMailState(before, outcome)),
      after,
    );
  });
}

test('a row has its final outcome, except while the mail is pending', () => {
  const read = (state: Parameters<typeof readFinalOutcome>[0]['state'], reason: string | null = 'No.') =>
    readFinalOutcome({ state, reason });
  assert.equal(read('pending'), null);
  assert.deepEqual(read('sending'), {
    kind: 'unknown',
    reason: 'The worker stopped while it sent the mail. The mail is not sent twice.',
  });
  assert.deepEqual(read('sent'), { kind: 'sent' });
  assert.deepEqual(read('refused'), { kind: 'refused', reason: 'No.', cause: 'message' });
  assert.deepEqual(read('refused', null), { kind: 'refused', reason: '', cause: 'message' });
  for (const kind of ['skipped', 'unknown', 'failed'] as const) {
    assert.deepEqual(read(kind), { kind, reason: 'No.' });
    assert.deepEqual(read(kind, null), { kind, reason: '' });
  }
});

const NOW = new Date('2026-11-01T09:00:00Z');
const LATER = new Date('2026-11-01T10:00:00Z');

async function addMail(more: { userId?: string; email?: string; now?: Date } = {}): Promise<string> {
  const userId = more.userId ?? (await ledger.addAuthor());
  const email = more.email ?? `${userId}@example.org`;
  const mail = { kind: 'confirm_email', userId, email, now: more.now ?? NOW } as const;
  return (await enqueueMail(ledger.db, mail)).id;
}
const readMail = (id: string) =>
  ledger.db.selectFrom('mails').select(['state', 'reason', 'attempts', 'at']).where('id', '=', id).executeTakeFirst();

test('one attempt at a time sends a mail, and only it can take its mark back', async () => {
  const id = await addMail();
  assert.equal(await markMail(ledger.db, id, LATER), 1);
  assert.equal(await markMail(ledger.db, id, LATER), null);
  await unmarkMail(ledger.db, id, 2);
  assert.deepEqual(await readMail(id), { state: 'sending', reason: null, attempts: 1, at: LATER });
  await unmarkMail(ledger.db, id, 1);
  assert.equal((await readMail(id))?.state, 'pending');
  assert.equal(await markMail(ledger.db, id, LATER), 2);
  assert.equal(await recordMailOutcome(ledger.db, { id, outcome: { kind: 'sent' }, now: LATER }), 'sent');
  await unmarkMail(ledger.db, id, 2);
  assert.equal((await readMail(id))?.state, 'sent');
});

test('an outcome is recorded with its reason and time, once', async () => {
  const id = await addMail();
  const record = (outcome: FinalMailOutcome, now: Date) => recordMailOutcome(ledger.db, { id, outcome, now });
  assert.equal(await record({ kind: 'failed', reason: 'No server.' }, LATER), 'failed');
  assert.equal(await record({ kind: 'failed', reason: 'Again.' }, NOW), 'failed');
  assert.deepEqual(await readMail(id), { state: 'failed', reason: 'No server.', attempts: 0, at: LATER });
  const gone = { id: crypto.randomUUID(), outcome: { kind: 'sent' }, now: NOW } as const;
  assert.equal(await recordMailOutcome(ledger.db, gone), null);
});

test('a mail has its account, and is superseded by a later one of its kind to the same address in any case', async () => {
  const userId = await ledger.addAuthor();
  const first = await addMail({ userId, email: 'Ada@example.org' });
  const { createdAt, ...loaded } = (await loadMail(ledger.db, first)) ?? assert.fail();
  const { username, name } = loaded;
  assert.deepEqual(loaded, {
    ...{ id: first, kind: 'confirm_email', state: 'pending', reason: null },
    ...{ userId, name, username, email: `${username}@example.org`, suspendedAt: null },
    ...{ emailConfirmedAt: loaded.emailConfirmedAt, subscriberId: null, subscriberEmail: null, confirmedAt: null },
    ...{ authorUsername: null, superseded: false },
  });
  assert.deepEqual([createdAt, username], [NOW, name]);
  const second = await addMail({ userId, email: 'ada@EXAMPLE.org', now: LATER });
  assert.equal((await loadMail(ledger.db, first))?.superseded, true);
  assert.equal((await loadMail(ledger.db, second))?.superseded, false);
  await enqueueMail(ledger.db, {
    kind: 'password_changed',
    userId,
    email: 'ada@example.org',
    now: new Date(LATER.getTime() + 1),
  });
  assert.equal((await loadMail(ledger.db, second))?.superseded, false, 'another kind');
  assert.equal(await loadMail(ledger.db, crypto.randomUUID()), undefined);
});

test('open mails become unknown after a restore, and ended ones stay', async () => {
  await ledger.db.deleteFrom('mails').execute();
  const [pending, sending, sent] = [await addMail(), await addMail(), await addMail()];
  await markMail(ledger.db, sending, NOW);
  await recordMailOutcome(ledger.db, { id: sent, outcome: { kind: 'sent' }, now: NOW });
  assert.equal(await markOpenMailsUnknown(ledger.db, 'Restored.', LATER), 2);
  for (const id of [pending, sending]) {
    const { state, reason, at } = (await readMail(id)) ?? {};
    assert.deepEqual([state, reason, at], ['unknown', 'Restored.', LATER]);
  }
  assert.equal((await readMail(sent))?.state, 'sent');
});
